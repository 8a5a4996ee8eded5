// Passkeys in a real browser with Chromium's own virtual authenticator, which answers as a phone or a laptop would.
import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, rootAccount, startApp } from '#test'
import {
  buildConsole,
  chromiumPath,
  openBrowser,
  openPage,
  signInPage,
} from '../../harness/browser.ts'

const chromium = chromiumPath()

describe.runIf(chromium)('passkeys in the console', () => {
  let app: App
  let browser: Browser | undefined
  /** Passkeys need a name; an address has none. */
  let url = ''

  beforeAll(async () => {
    buildConsole()
    app = await startApp()
    url = app.url.replace('127.0.0.1', 'localhost')
    browser = await openBrowser(chromium ?? '')
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await app.close()
  })

  async function open() {
    if (!browser) throw new Error('no browser')
    const { page, faults } = await openPage(browser, url)
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    return { page, faults, cdp }
  }
  async function plugIn(cdp: CDPSession): Promise<string> {
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return authenticatorId
  }
  async function customer(name: string) {
    const password = 'correct horse battery'
    await app.root.post('/api/user/', { username: name, password, display_name: name })
    return { username: name, password }
  }
  async function addPasskey(page: Page, name: string) {
    await page.goto('/personal')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText(`The passkey ${name} has been added.`).waitFor()
  }
  const nameOf = (page: Page) =>
    page.evaluate(
      () => (JSON.parse(localStorage.getItem('user') ?? '{}') as { username?: string }).username,
    )
  /** Another visit of the same device: signed out, its passkeys still there. */
  async function signOut(page: Page) {
    await page.evaluate(async () => {
      await fetch('/api/user/logout')
      localStorage.removeItem('user')
    })
  }

  it('are added, renamed, open the account, and are deleted', async () => {
    const ada = await customer('ada')
    const { page, faults, cdp } = await open()
    const authenticator = await plugIn(cdp)
    await signInPage(page, ada)
    await addPasskey(page, 'Laptop')
    await page.getByRole('button', { name: 'Rename Laptop' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Old laptop')
    await page.keyboard.press('Enter')
    await page.getByText('The passkey is now called Old laptop.').waitFor()
    await signOut(page)
    await page.goto('/login')
    // The field for the name offers it, too: Chromium's virtual authenticator may take that at once.
    const button = page.getByRole('button', { name: 'Continue with a passkey' })
    await Promise.race([button.click().catch(() => undefined), page.waitForURL('**/token')])
    await page.waitForURL('**/token')
    expect(await nameOf(page)).toBe('ada')
    const { credentials } = await cdp.send('WebAuthn.getCredentials', {
      authenticatorId: authenticator,
    })
    expect(credentials).toHaveLength(1)
    await page.goto('/personal')
    await page.getByRole('button', { name: 'Delete Old laptop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete passkey' }).click()
    await page.getByText('The passkey Old laptop has been deleted.').waitFor()
    expect(faults).toEqual([])
  }, 60_000)

  it('are the second step after the password, on a phone and in Chinese', async () => {
    const grace = await customer('grace')
    const { page, cdp } = await open()
    await page.setViewportSize({ width: 390, height: 844 })
    const id = await plugIn(cdp)
    await signInPage(page, grace)
    await addPasskey(page, 'Phone')
    await signOut(page)
    await page.evaluate(() => localStorage.setItem('i18nextLng', 'zh'))
    // Nobody touches it yet.
    await cdp.send('WebAuthn.setAutomaticPresenceSimulation', {
      authenticatorId: id,
      enabled: false,
    })
    await page.goto('/login')
    await page.getByLabel('用户名或邮箱').fill(grace.username)
    await page.getByLabel('密码', { exact: true }).fill(grace.password)
    await page.locator('form button[type=submit]').click()
    await page.waitForURL('**/login?second_factor=true')
    expect(await page.getByLabel('验证码').count()).toBe(0)
    await cdp.send('WebAuthn.setAutomaticPresenceSimulation', {
      authenticatorId: id,
      enabled: true,
    })
    await page.getByRole('button', { name: '使用通行密钥' }).click()
    await page.waitForURL('**/token')
    expect(await nameOf(page)).toBe('grace')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  }, 60_000)

  it('prove who it is before an account changes; the call that was asked for then goes on', async () => {
    const { username, password } = await customer('linus')
    const { page } = await open()
    await signInPage(page, { username, password })
    await page.goto('/personal')
    // The server has just seen the password; a call that it refuses stands for a session of yesterday.
    let isRefused = false
    await page.route('**/api/user/2fa/setup', async (route) => {
      if (isRefused) return route.continue()
      isRefused = true
      const body = { success: false, message: 'again', code: 'auth.proof_needed' }
      return route.fulfill({ json: body })
    })
    await page.getByRole('button', { name: 'Set up' }).click()
    const dialog = page.getByRole('dialog').filter({ hasText: 'Confirm that it is you' })
    await dialog.getByLabel('Your password').fill('wrong password')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByText('The password is wrong.').waitFor()
    await dialog.getByLabel('Your password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByText('Scan the code with an authenticator app').waitFor()
    expect(isRefused).toBe(true)
  }, 60_000)

  it('are what an admin is led to who must have a second factor', async () => {
    await app.root.put('/api/option/', { key: 'AdminSecondFactorRequired', value: 'true' })
    const { page, cdp } = await open()
    await plugIn(cdp)
    await page.goto('/login')
    await page.getByLabel('Username or e-mail').fill(rootAccount.username)
    await page.getByLabel('Password', { exact: true }).fill(rootAccount.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('**/second-factor')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('has been added').waitFor()
    await page.getByRole('button', { name: 'Go on to the console' }).click()
    await page.waitForURL('**/token')
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(page.url()).toContain('/token')
  }, 60_000)
})
