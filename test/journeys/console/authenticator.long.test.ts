// Codes of an authenticator from setting up to the reset by an admin, as a person does it; the codes are those of the key that the screen shows.
import { setTimeout as delay } from 'node:timers/promises'
import { TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, rootAccount, startApp } from '#test'
import { buildConsole, chromiumPath, openBrowser, openPage } from '../../harness/browser.ts'
import { textsOf } from '../../harness/texts.ts'

const chromium = chromiumPath()
const PERIOD_MS = 30_000
const password = 'correct horse battery'

describe.runIf(chromium).each([
  { title: 'in English', language: 'en', isOnPhone: false },
  { title: 'in Chinese on a phone', language: 'zh', isOnPhone: true },
] as const)('an authenticator $title', ({ language, isOnPhone }) => {
  const sign = textsOf('auth-password', language)
  const own = textsOf('personal', language)
  const shared = textsOf('console', language)
  let app: App
  let browser: Browser | undefined
  let page: Page
  let secret = ''
  let recovery: string[] = []
  let lastPeriod = 0

  beforeAll(async () => {
    buildConsole()
    app = await startApp()
    await app.root.post('/api/user/', { username: 'ada', password, display_name: 'Ada' })
    browser = await openBrowser(chromium ?? '')
    page = await open()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await app.close()
  })

  async function open(): Promise<Page> {
    if (!browser) throw new Error('no browser')
    return (await openPage(browser, app.url, { language, isOnPhone })).page
  }
  /** Each code counts once; the gateway takes that of the period before and after, so that nobody has to wait here. */
  async function nextCode(): Promise<string> {
    // A code of the period before is too old as soon as this one ends.
    const leftMs = PERIOD_MS - (Date.now() % PERIOD_MS)
    if (leftMs < 5_000) await delay(leftMs)
    lastPeriod = Math.max(lastPeriod + 1, Math.floor(Date.now() / PERIOD_MS) - 1)
    return new TOTP({ secret }).generate({ timestamp: lastPeriod * PERIOD_MS })
  }
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  async function enterPassword(username: string, secretOfUser: string) {
    await page.goto('/login')
    await page.getByLabel(sign('login.username')).fill(username)
    await page.getByLabel(sign('login.password'), { exact: true }).fill(secretOfUser)
    await page.getByRole('button', { name: sign('login.submit'), exact: true }).click()
  }
  async function leave() {
    await page.context().clearCookies()
    await page.evaluate(() => localStorage.removeItem('user'))
  }
  /** To the second step, which asks for a code. */
  async function enter(code: string) {
    await leave()
    await enterPassword('ada', password)
    await page.waitForURL('**/login?second_factor=true')
    await page.getByLabel(sign('second.code'), { exact: true }).fill(code)
    await button(sign('second.submit')).click()
  }
  const fits = async () =>
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      isOnPhone ? 390 : 1280,
    )

  it('is set up with the key that the screen shows', async () => {
    await enterPassword('ada', password)
    await page.waitForURL('**/token')
    await page.goto('/personal')
    await button(own('factor.setUp')).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('img', { name: own('factor.qr') }).waitFor()
    await dialog.getByRole('button', { name: shared('secret.show') }).click()
    secret = (await dialog.locator('.secret-text code').textContent()) ?? ''
    expect(secret).toMatch(/^[A-Z2-7]{32,}$/)
    recovery = await dialog.locator('.personal-codes li').allTextContents()
    expect(recovery.length).toBeGreaterThanOrEqual(8)
    await fits()
    const field = dialog.getByLabel(own('factor.code'))
    await field.fill('000000')
    await dialog.getByRole('button', { name: own('factor.enable'), exact: true }).click()
    await page.getByText(language === 'zh' ? '验证码错误或已被使用' : 'The code is wrong').waitFor()
    await field.fill(await nextCode())
    await page.keyboard.press('Enter')
    await page.getByText(own('factor.enabled')).waitFor()
    const left = own(language === 'en' ? 'factor.left_other' : 'factor.left')
    await page.getByText(left.replace('{count}', String(recovery.length))).waitFor()
    await fits()
  }, 60_000)

  it('opens the account at the second step, each code once', async () => {
    const code = await nextCode()
    await enter(code)
    await page.waitForURL('**/token')
    await enter(code)
    await page.getByText(language === 'zh' ? '验证码错误或已被使用' : 'The code is wrong').waitFor()
    await fits()
  }, 60_000)

  it('opens by a recovery code once, and is switched off with another', async () => {
    await enter(recovery[0] ?? '')
    await page.waitForURL('**/token')
    await enter(recovery[0] ?? '')
    await page.getByText(language === 'zh' ? '验证码错误或已被使用' : 'The code is wrong').waitFor()
    await page.getByLabel(sign('second.code'), { exact: true }).fill(recovery[1] ?? '')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/token')
    await page.goto('/personal')
    await button(own('factor.disable')).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(own('factor.codeOrRecovery')).fill(recovery[2] ?? '')
    await page.keyboard.press('Enter')
    await page.getByText(own('factor.disabled')).waitFor()
    await leave()
    await enterPassword('ada', password)
    await page.waitForURL('**/token')
  }, 60_000)

  it('is reset by an admin for whoever lost it', async () => {
    await page.goto('/personal')
    await button(own('factor.setUp')).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: shared('secret.show') })
      .click()
    secret = (await page.locator('.secret-text code').textContent()) ?? ''
    lastPeriod = 0
    await page
      .getByRole('dialog')
      .getByLabel(own('factor.code'))
      .fill(await nextCode())
    await page.keyboard.press('Enter')
    await page.getByText(own('factor.enabled')).waitFor()
    await leave()
    await enterPassword(rootAccount.username, rootAccount.password)
    await page.waitForURL('**/token')
    const users = textsOf('users', language)
    await page.goto('/user')
    await page.getByRole('button', { name: shared('more').replace('{name}', 'ada') }).click()
    await page.getByRole('menuitem', { name: users('action.resetFactor') }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: users('action.resetFactor') })
      .click()
    await page.getByText(users('done.resetFactor').replace('{name}', 'ada')).waitFor()
    await fits()
    await leave()
    await enterPassword('ada', password)
    await page.waitForURL('**/token')
  }, 60_000)
})
