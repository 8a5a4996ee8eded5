// Against Stripe's own SDK, which signs the events and parses the answers.
import { Stripe } from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPluginApp, databaseKinds, type InjectClient, type PluginApp } from '#test'
import { decimalsOf, minorOf, moneyOf } from './currency.ts'
import payStripe from './index.ts'
import { isSigned } from './signature.ts'

const sdk = new Stripe('sk_test_local')
const secret = 'whsec_test_local'
const settings = {
  StripeApiSecret: 'sk_test_local',
  StripeWebhookSecret: secret,
  StripeCurrency: 'usd',
  ServerAddress: 'https://gw.test',
}

const header = (payload: string, more: object = {}) =>
  sdk.webhooks.generateTestHeaderString({ payload, secret, ...more })

describe('the signature of an event', () => {
  const payload = '{"id":"evt_1","text":"价格"}'
  const body = Buffer.from(payload)

  it('is right as the SDK makes it, and in nobody else’s name', () => {
    expect(isSigned(body, { header: header(payload), secret })).toBe(true)
    expect(isSigned(body, { header: `${header(payload)},v1=00,v0=ff`, secret })).toBe(true)
    expect(isSigned(Buffer.from(`${payload} `), { header: header(payload), secret })).toBe(false)
    expect(isSigned(body, { header: header(payload), secret: 'whsec_other' })).toBe(false)
    for (const wrong of ['', 't=1', 'v1=00', `t=,v1=${'0'.repeat(64)}`, 't=x,v1=,v1='])
      expect(isSigned(body, { header: wrong, secret })).toBe(false)
  })

  it('is wrong without a secret, and more than five minutes before or after its time', () => {
    const empty = sdk.webhooks.generateTestHeaderString({ payload, secret: ' ' })
    expect(isSigned(body, { header: empty, secret: '' })).toBe(false)
    const timestamp = Math.floor(Date.now() / 1000)
    const stamped = { header: header(payload, { timestamp }), secret }
    const isSignedAfter = (seconds: number) =>
      isSigned(body, { ...stamped, nowMs: (timestamp + seconds) * 1000 })
    expect([-301, -300, 300, 301].map(isSignedAfter)).toEqual([false, true, true, false])
  })
})

it.each([
  { money: '73.00', currency: 'USD', minor: 7300 },
  { money: '0.05', currency: 'eur', minor: 5 },
  { money: '730', currency: 'JPY', minor: 730 },
])('$money $currency are $minor of the smallest unit', ({ money, currency, minor }) => {
  expect(minorOf(money, currency)).toBe(String(minor))
  expect(moneyOf(minor, currency)).toBe(money)
})

it.each(['UGX', 'isk'])('%s is priced in whole units and stated in hundredths', (currency) => {
  expect(decimalsOf(currency)).toBe(0)
  expect(minorOf('5', currency)).toBe('500')
  expect(moneyOf(500, currency)).toBe('5.00')
})

it.each(['', 'US', 'KWD', '$$$'])('sells nothing in "%s"', (currency) => {
  expect(decimalsOf(currency)).toBeUndefined()
})

describe.each(databaseKinds)('Stripe Checkout on $name', (kind) => {
  let app: PluginApp
  let ada: InjectClient
  let adaId: number
  let asked: { url: string; headers: Record<string, string>; form: URLSearchParams }[]
  let answer: { status: number; body: unknown }

  beforeAll(async () => {
    // A stand-in for api.stripe.com, which tests cannot reach.
    const fetch = (request: { url: string; headers: Record<string, string>; body: string }) => {
      const { url, headers, body } = request
      asked.push({ url, headers, form: new URLSearchParams(body) })
      return Promise.resolve(answer)
    }
    app = await createPluginApp({
      kind,
      plugins: [payStripe],
      services: { fetch: fetch as never },
    })
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    asked = []
    answer = { status: 200, body: { id: 'cs_1', url: 'https://checkout.stripe.com/c/pay/cs_1' } }
    await app.options.setMany(settings)
    const account = { username: 'ada', by: 'admin' } as const
    ;({ id: adaId } = await app.accounts.create(account))
    ada = await app.signedIn(adaId)
  })
  afterEach(async () => {
    await app.removeAccounts()
    await app.database.run('DELETE FROM top_ups')
  })

  const pay = (amount = 10) =>
    ada.call<{ pay_link: string }>('POST', '/api/user/stripe/pay', {
      amount,
      payment_method: 'stripe',
    })
  const order = async () => {
    await pay()
    return asked.at(-1)?.form.get('client_reference_id') ?? ''
  }
  const notify = async (type: string, object: object, signature?: string) => {
    const payload = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } })
    const response = await app.app.inject({
      method: 'POST',
      url: '/api/stripe/webhook',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signature ?? header(payload),
      },
      payload,
    })
    return response.statusCode
  }
  const session = (trade_no: string, more: object = {}) => ({
    id: 'cs_1',
    object: 'checkout.session',
    client_reference_id: trade_no,
    payment_status: 'paid',
    amount_total: 1000,
    currency: 'usd',
    payment_intent: `pi_${trade_no}`,
    metadata: { trade_no },
    ...more,
  })
  const completed = 'checkout.session.completed'
  const balance = () => app.ledger.balance(adaId)

  it('leads to the page that Stripe names', async () => {
    expect((await ada.call('POST', '/api/user/stripe/amount', { amount: 10 })).data).toBe('10.00')
    expect(await pay()).toMatchObject({
      success: true,
      message: 'success',
      data: { pay_link: 'https://checkout.stripe.com/c/pay/cs_1' },
    })
    const { url, headers, form } = asked[0] ?? { url: '', headers: {}, form: new URLSearchParams() }
    expect(url).toBe('https://api.stripe.com/v1/checkout/sessions')
    const trade = form.get('client_reference_id') ?? ''
    expect(headers).toMatchObject({
      authorization: 'Bearer sk_test_local',
      'idempotency-key': trade,
    })
    expect(Object.fromEntries(form)).toMatchObject({
      mode: 'payment',
      success_url: 'https://gw.test/log',
      cancel_url: 'https://gw.test/topup',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '1000',
      'metadata[trade_no]': trade,
    })
    answer = { status: 401, body: { error: { code: 'api_key_expired', message: 'sk_test_local' } } }
    const refused = await pay()
    expect(refused).toMatchObject({ success: false, code: 'pay_stripe.refused' })
    expect(JSON.stringify(refused)).not.toContain('sk_test')
  })

  it('credits a completed session once', async () => {
    const trade = await order()
    expect(await notify(completed, session(trade, { payment_status: 'unpaid' }))).toBe(200)
    expect(await balance()).toBe(0)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => notify(completed, session(trade))),
    )
    expect(new Set(answers)).toEqual(new Set([200]))
    expect(await notify('checkout.session.async_payment_succeeded', session(trade))).toBe(200)
    expect(await balance()).toBe(5_000_000)
  })

  it.each([
    { what: 'another sum', more: { amount_total: 999 } },
    { what: 'another currency', more: { currency: 'jpy' } },
    { what: 'an unknown order', more: { metadata: { trade_no: 'USR1NOnothing' } } },
  ])('does not credit $what', async ({ more }) => {
    expect(await notify(completed, session(await order(), more))).toBe(400)
    expect(await balance()).toBe(0)
  })

  it('believes no event without its signature or while a secret is missing', async () => {
    const trade = await order()
    const foreign = header('{}')
    expect(await notify(completed, session(trade), foreign)).toBe(400)
    expect(await notify(completed, session(trade), '')).toBe(400)
    for (const key of ['StripeApiSecret', 'StripeWebhookSecret']) {
      await app.options.set(key, '')
      expect(await notify(completed, session(trade))).toBe(400)
      expect(await pay()).toMatchObject({ code: 'payment.off' })
      await app.options.setMany(settings)
    }
    expect(await balance()).toBe(0)
  })

  it('leaves alone what is not of the gateway', async () => {
    expect(await notify(completed, session('', { metadata: {} }))).toBe(200)
    expect(await notify('checkout.session.expired', session('', { metadata: {} }))).toBe(200)
    expect(await notify('customer.created', { id: 'cus_1' })).toBe(200)
    const charge = { payment_intent: 'pi_other', amount_refunded: 5, currency: 'usd' }
    expect(await notify('charge.refunded', charge)).toBe(200)
    expect(await balance()).toBe(0)
  })

  it('takes back what a refund or a dispute returned', async () => {
    const trade = await order()
    await notify(completed, session(trade))
    const payment_intent = `pi_${trade}`
    const refund = { payment_intent, amount_refunded: 250, currency: 'usd' }
    for (let time = 0; time < 3; time += 1) await notify('charge.refunded', refund)
    expect(await balance()).toBe(3_750_000)
    const dispute = { payment_intent, amount: 1000, currency: 'usd' }
    await notify('charge.dispute.created', { ...dispute, status: 'warning_needs_response' })
    expect(await balance()).toBe(3_750_000)
    await notify('charge.dispute.created', { ...dispute, status: 'needs_response' })
    await notify('charge.dispute.funds_withdrawn', { ...dispute, status: 'needs_response' })
    expect(await balance()).toBe(0)
    expect(await app.ledger.verify()).toMatchObject({ faults: [] })
  })
})
