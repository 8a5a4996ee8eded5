// A customer pays, in Chromium: the pages of the payment gateways stand on local ports and tell the gateway what real ones tell.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Browser, Page } from 'playwright-core'
import { Stripe } from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addCustomer, type App, type Customer, startApp } from '#test'
import {
  buildConsole,
  chromiumPath,
  openBrowser,
  openPage,
  type Viewer,
} from '../../harness/browser.ts'
import { customerPassword } from '../../harness/shop.ts'
import { textsOf } from '../../harness/texts.ts'

const chromium = chromiumPath()
const epayKey = 'epay-key'
const sdk = new Stripe('sk_test_journey')
const webhookSecret = 'whsec_journey'

/** Both gateways: `/submit.php` of epay, the API and the page of Stripe. */
class Counterpart {
  readonly #server: Server
  readonly notified: string[] = []
  gateway = ''

  constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response))
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this.url
  }

  /** Another name of the machine: another site to the browser. */
  get url(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url)
    const form = new URLSearchParams(await text(request))
    if (pathname === '/shop/submit.php') this.#page(response, '/shop/paid', form)
    else if (pathname === '/shop/paid') await this.#paidByEpay(form, response)
    else if (pathname === '/v1/checkout/sessions') this.#session(form, response)
    else if (pathname === '/checkout') this.#page(response, '/checkout/paid', searchParams)
    else if (pathname === '/checkout/paid') await this.#paidByStripe(form, response)
    else response.writeHead(204).end()
  }

  #page(response: ServerResponse, action: string, fields: URLSearchParams): void {
    const inputs = [...fields].map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
    )
    response.setHeader('content-type', 'text/html')
    response.end(
      `<form method="post" action="${action}">${inputs.join('')}<button>Pay</button></form>`,
    )
  }

  async #paidByEpay(form: URLSearchParams, response: ServerResponse): Promise<void> {
    const asked = Object.fromEntries(form)
    const { sign: _sign, sign_type: _type, ...signed } = asked
    expect(asked['sign']).toBe(md5(signed))
    const fields = {
      pid: form.get('pid') ?? '',
      trade_no: `E${form.get('out_trade_no')}`,
      out_trade_no: form.get('out_trade_no') ?? '',
      type: form.get('type') ?? '',
      name: form.get('name') ?? '',
      money: form.get('money') ?? '',
      trade_status: 'TRADE_SUCCESS',
    }
    const query = new URLSearchParams({ ...fields, sign: md5(fields), sign_type: 'MD5' })
    const answer = await fetch(`${form.get('notify_url')}?${query.toString()}`)
    this.notified.push(await answer.text())
    response.writeHead(302, { location: form.get('return_url') ?? '' }).end()
  }

  #session(form: URLSearchParams, response: ServerResponse): void {
    const page = new URLSearchParams({
      trade_no: form.get('metadata[trade_no]') ?? '',
      amount: form.get('line_items[0][price_data][unit_amount]') ?? '',
      currency: form.get('line_items[0][price_data][currency]') ?? '',
      back: form.get('success_url') ?? '',
    })
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ id: 'cs_1', url: `${this.url}/checkout?${page.toString()}` }))
  }

  async #paidByStripe(form: URLSearchParams, response: ServerResponse): Promise<void> {
    const object = {
      id: 'cs_1',
      object: 'checkout.session',
      payment_status: 'paid',
      amount_total: Number(form.get('amount')),
      currency: form.get('currency'),
      payment_intent: `pi_${form.get('trade_no')}`,
      metadata: { trade_no: form.get('trade_no') },
    }
    const type = 'checkout.session.completed'
    const payload = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } })
    const signature = sdk.webhooks.generateTestHeaderString({ payload, secret: webhookSecret })
    const answer = await fetch(`${this.gateway}/api/stripe/webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      body: payload,
    })
    this.notified.push(await answer.text())
    response.writeHead(302, { location: form.get('back') ?? '' }).end()
  }
}

function md5(fields: Readonly<Record<string, string>>): string {
  const names = Object.keys(fields).filter((name) => fields[name] !== '')
  const line = names
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')
  return createHash('md5').update(`${line}${epayKey}`).digest('hex')
}

/** The same steps as one sort of viewer takes them. */
export function describePaying({ title, ...viewer }: Viewer & { title: string }): void {
  describe.runIf(chromium)('paying in the console', () => {
    const counterpart = new Counterpart()
    let app: App
    let browser: Browser | undefined

    beforeAll(async () => {
      buildConsole()
      const url = await counterpart.open()
      app = await startApp({ env: { STRIPE_API_URL: url } })
      counterpart.gateway = app.url
      for (const [key, value] of Object.entries({
        ServerAddress: app.url,
        PayAddress: `${url}/shop`,
        EpayId: '1001',
        EpayKey: epayKey,
        StripeApiSecret: 'sk_test_journey',
        StripeWebhookSecret: webhookSecret,
        StripeCurrency: 'usd',
      }))
        await app.root.put('/api/option/', { key, value })
      browser = await openBrowser(chromium ?? '')
    }, 120_000)

    afterAll(async () => {
      await browser?.close()
      await app.close()
      counterpart.close()
    })

    const openWallet = async (customer: Customer, viewer: Viewer) => {
      if (!browser) throw new Error('no browser')
      const opened = await openPage(browser, app.url, viewer)
      const { page } = opened
      const t = textsOf('auth-password', viewer.language)
      await page.goto('/login')
      await page.getByLabel(t('login.username')).fill(customer.username)
      await page.getByLabel(t('login.password'), { exact: true }).fill(customerPassword)
      await page.getByRole('button', { name: t('login.submit'), exact: true }).click()
      await page.waitForURL('**/token')
      await page.goto('/topup')
      return opened
    }
    const order = async (page: Page, viewer: Viewer, method: string, sum: string) => {
      const t = textsOf('wallet', viewer.language)
      await page.getByLabel(t('pay.amount')).fill('10')
      await page.getByText(method, { exact: true }).first().click()
      await page.getByText(sum).first().waitFor()
      await page.getByRole('button', { name: t('pay.submit'), exact: true }).click()
    }
    const balance = async (page: Page, amount: string) => {
      await page.goto('/topup')
      await page.locator('.wallet-figures').getByText(amount).first().waitFor()
    }

    describe(title, () => {
      const suffix = viewer.language ?? ''
      const t = textsOf('wallet', viewer.language)

      it('by epay: the page of the gateway opens beside the wallet, and the quota is there', async () => {
        const customer = await addCustomer(app.root, `epay${suffix}`, 0)
        const { page, faults } = await openWallet(customer, viewer)
        const opening = page.context().waitForEvent('page')
        await order(page, viewer, t('method.zfb'), '73.00')
        const shop = await opening
        await shop.getByRole('button', { name: 'Pay' }).click()
        await shop.waitForURL('**/log')
        expect(counterpart.notified.pop()).toBe('success')
        await balance(page, '$10')
        await page.getByText(t('status.success')).first().waitFor()
        expect(faults).toEqual([])
      })

      it('by Stripe: the page of Checkout takes the place of the wallet, and leads back', async () => {
        const customer = await addCustomer(app.root, `stripe${suffix}`, 0)
        const { page, faults } = await openWallet(customer, viewer)
        await order(page, viewer, t('method.stripe'), '10.00')
        await page.getByRole('button', { name: 'Pay' }).click()
        await page.waitForURL('**/log')
        expect(counterpart.notified.pop()).toBe('{"received":true}')
        await balance(page, '$10')
        expect(faults).toEqual([])
      })

      it('by a redemption code, once', async () => {
        const customer = await addCustomer(app.root, `code${suffix}`, 0)
        const [code = ''] = await app.root.post<string[]>('/api/redemption/', {
          name: 'journey',
          quota: 2_500_000,
          count: 1,
        })
        const { page, faults } = await openWallet(customer, viewer)
        const redeem = async () => {
          await page.getByRole('textbox', { name: t('redeem.code') }).fill(code)
          await page.getByRole('button', { name: t('redeem.submit'), exact: true }).click()
        }
        await redeem()
        await page.locator('.wallet-figures').getByText('$5').first().waitFor()
        await redeem()
        const used = { en: 'has been used or is no longer valid', zh: '已被使用或已失效' }
        const card = page.getByRole('region', { name: t('redeem.title') })
        const reason = card.getByRole('alert').filter({ hasText: used[viewer.language ?? 'en'] })
        await reason.waitFor()
        expect(faults).toEqual([])
      })
    })
  })
}
