// What people do with their mailbox beside the console, in Chromium: the letters go through a real mail server on a local port.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addCustomer, type App, rootAccount, startApp } from '#test'
import {
  buildConsole,
  chromiumPath,
  openBrowser,
  openPage,
  type Viewer,
} from '../../harness/browser.ts'
import { type MailServer, startMailServer } from '../../harness/counterparts/mail-server.ts'
import { customerPassword } from '../../harness/shop.ts'
import { textsOf } from '../../harness/texts.ts'

const chromium = chromiumPath()

/** Of the answer to GET /api/option/actions. */
interface TestAction {
  id: string
  label: Record<'en' | 'zh', string>
  input: { label: Record<'en' | 'zh', string> }
}

/** The same steps as one sort of viewer takes them. */
export function describeMails({ title, ...viewer }: Viewer & { title: string }): void {
  describe.runIf(chromium)('beside the mailbox', () => {
    let app: App
    let mails: MailServer
    let browser: Browser | undefined

    beforeAll(async () => {
      buildConsole()
      mails = await startMailServer()
      app = await startApp()
      for (const [key, value] of Object.entries({
        ...mails.options,
        ServerAddress: app.url,
        EmailVerificationEnabled: 'true',
        QuotaForInviter: '1500000',
        QuotaForInvitee: '500000',
      }))
        await app.root.put('/api/option/', { key, value })
      browser = await openBrowser(chromium ?? '')
    }, 120_000)

    afterAll(async () => {
      await browser?.close()
      await app.close()
      await mails.close()
    })

    const open = async (viewer: Viewer) => {
      if (!browser) throw new Error('no browser')
      return openPage(browser, app.url, viewer)
    }
    const signIn = async (page: Page, { language }: Viewer, username: string, password: string) => {
      const t = textsOf('auth-password', language)
      await page.goto('/login')
      await page.getByLabel(t('login.username')).fill(username)
      await page.getByLabel(t('login.password'), { exact: true }).fill(password)
      await page.getByRole('button', { name: t('login.submit'), exact: true }).click()
      await page.waitForURL('**/token')
    }
    const register = async (page: Page, { language }: Viewer, username: string, email: string) => {
      const t = textsOf('auth-password', language)
      const own = textsOf('console', language)
      await page.getByLabel(t('register.username')).fill(username)
      await page.getByLabel(t('login.password'), { exact: true }).fill(customerPassword)
      await page.getByLabel(own('form.repeatPassword')).fill(customerPassword)
      await page.getByLabel(t('register.email'), { exact: true }).fill(email)
      await page.getByRole('button', { name: own('mailedCode.send') }).click()
      const { html, subject } = await mails.next(email)
      const code = />(\d{6})</.exec(html)?.[1] ?? ''
      await page.getByLabel(own('mailedCode.label')).fill(code)
      await page.getByRole('button', { name: t('register.submit') }).click()
      await page.waitForURL('**/login')
      return subject
    }

    describe(title, () => {
      const { language = 'en' } = viewer

      it('a newcomer comes by an invite link, proves the address, and both sides have their reward', async () => {
        const inviter = await addCustomer(app.root, `host${language}`, 0)
        const { page, faults } = await open(viewer)
        await signIn(page, viewer, inviter.username, customerPassword)
        await page.goto('/personal')
        const link = await page.getByText(/\/register\?aff=\w{6}$/).textContent()

        const guest = await open(viewer)
        const name = `guest${language}`
        await guest.page.goto(new URL(link ?? '').pathname + new URL(link ?? '').search)
        const subject = await register(guest.page, viewer, name, `${name}@example.com`)
        expect(subject).toContain(language === 'zh' ? '邮箱验证码' : 'verification code')
        await signIn(guest.page, viewer, name, customerPassword)
        await guest.page.goto('/topup')
        await guest.page.locator('.wallet-figures').getByText('$1').first().waitFor()

        await page.goto('/personal')
        const card = page.getByRole('region', {
          name: textsOf('personal', language)('invite.title'),
        })
        await card.getByText('$3').first().waitFor()
        expect([...faults, ...guest.faults]).toEqual([])
      })

      it('who forgot the password gets a link, and signs in with the new one', async () => {
        const t = textsOf('mail', language)
        const name = `lost${language}`
        const email = `${name}@example.com`
        const visitor = await open(viewer)
        await visitor.page.goto('/register')
        await register(visitor.page, viewer, name, email)

        const { page, faults } = await open(viewer)
        await page.goto('/login')
        await page
          .getByRole('link', { name: textsOf('auth-password', language)('login.forgot') })
          .click()
        await page.getByLabel(t('reset.email')).fill(email)
        await page.getByRole('button', { name: t('reset.submit') }).click()
        await page.getByText(email).waitFor()
        const { subject, html } = await mails.next(email)
        expect(subject).toContain(language === 'zh' ? '重置密码' : 'reset your password')
        const link = /href="([^"]*\/user\/reset[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
        await page.goto(link ?? '')
        await page.getByRole('button', { name: t('confirm.submit') }).click()
        const password = (await page.locator('.mail-password code').textContent()) ?? ''
        await signIn(page, viewer, name, password)
        expect(faults).toEqual([])

        await page.goto(link ?? '')
        await page.getByRole('button', { name: t('confirm.submit') }).click()
        await page.getByText(t('confirm.invalid')).first().waitFor()
      })

      it('an admin sees what the mail server answered to a test', async () => {
        const { page, faults } = await open(viewer)
        await signIn(page, viewer, rootAccount.username, rootAccount.password)
        await page.goto('/setting?tab=system')
        const actions = await app.root.get<TestAction[]>('/api/option/actions')
        const action = actions.find(({ id }) => id === 'mail-test')
        const name = action?.input.label[language] ?? ''
        await page.getByRole('textbox', { name }).fill('boss@example.com')
        const send = action?.label[language] ?? ''
        await page.getByRole('button', { name: send, exact: true }).click()
        const answer = page.getByRole('status').filter({ hasText: 'boss@example.com' })
        await answer.filter({ hasText: /(?:: |：)250/ }).waitFor()
        expect((await mails.next('boss@example.com')).html).toContain('Tollgate')
        expect(faults).toEqual([])
      })
    })
  })
}
