// Sign-in that begins in the page: a code from a phone, Telegram's window, the widget of a bot check. What others serve is answered by stand-ins.
import { createHash, createHmac } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type App,
  rootAccount,
  scriptedUpstream,
  type ScriptedUpstream,
  sendJson,
  startApp,
} from '#test'
import { buildConsole, chromiumPath, openBrowser, openPage } from '../../harness/browser.ts'
import { textsOf } from '../../harness/texts.ts'

const chromium = chromiumPath()
const botToken = '123456:TEST-BOT-TOKEN'

/** The whole of what the console uses of Telegram's script. */
const telegramScript = (fields: object) =>
  `window.Telegram = { Login: { auth: (options, done) => done(${JSON.stringify(fields)}) } }`

/** The widget is passed a moment after it was drawn, each time with another token. */
const turnstileScript = `window.turnstile = {
  render(place, options) {
    setTimeout(() => {
      options.callback('human-' + performance.now())
      place.textContent = options.sitekey + ' passed'
    }, 50)
    return '1'
  },
  remove() {},
}`

describe.runIf(chromium).each([
  { title: 'in English', language: 'en', isOnPhone: false },
  { title: 'in Chinese on a phone', language: 'zh', isOnPhone: true },
] as const)('signing in by a widget $title', ({ language, isOnPhone }) => {
  const sign = textsOf('auth-password', language)
  const shared = textsOf('console', language)
  const wechat = textsOf('auth-wechat', language)
  const turnstile = textsOf('turnstile', language)
  const settings = textsOf('settings', language)
  let app: App
  let others: ScriptedUpstream
  let browser: Browser | undefined
  const verified: string[] = []

  beforeAll(async () => {
    buildConsole()
    others = await scriptedUpstream()
    others.behave((response, { path, sent }) => {
      if (path.startsWith('/api/wechat/user') || path.startsWith('/moved/api/wechat/user'))
        return sendJson(response, { success: true, data: /2468\d0/.test(path) ? 'o_ada' : '' })
      const form = new URLSearchParams(sent)
      verified.push(form.get('response') ?? '')
      const isRight = form.get('secret') === 'right'
      sendJson(response, {
        success: isRight,
        'error-codes': isRight ? [] : ['invalid-input-secret'],
      })
    })
    app = await startApp({ env: { TURNSTILE_VERIFY_URL: others.url } })
    for (const [key, value] of [
      ['WeChatServerAddress', others.url],
      ['WeChatServerToken', 't'],
      ['WeChatAuthEnabled', 'true'],
      ['TelegramBotToken', botToken],
      ['TelegramOAuthEnabled', 'true'],
      ['TurnstileSiteKey', 'site-key'],
      ['TurnstileSecretKey', 'wrong'],
    ])
      await app.root.put('/api/option/', { key, value })
    browser = await openBrowser(chromium ?? '')
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await app.close()
    await others.close()
  })

  async function open(): Promise<Page> {
    if (!browser) throw new Error('no browser')
    const { page } = await openPage(browser, app.url, { language, isOnPhone })
    const fields = { id: 77, first_name: 'Ada', auth_date: Math.floor(Date.now() / 1000) }
    const text = Object.entries(fields)
      .map(([name, value]) => `${name}=${value}`)
      .sort()
      .join('\n')
    const key = createHash('sha256').update(botToken).digest()
    const hash = createHmac('sha256', key).update(text).digest('hex')
    const script = (body: string) => ({ contentType: 'text/javascript', body })
    await page.route('https://telegram.org/**', (route) =>
      route.fulfill(script(telegramScript({ ...fields, hash }))),
    )
    await page.route('https://challenges.cloudflare.com/**', (route) =>
      route.fulfill(script(turnstileScript)),
    )
    return page
  }
  const fillPassword = async (page: Page, password: string = rootAccount.password) => {
    await page.getByLabel(sign('login.username')).fill(rootAccount.username)
    await page.getByLabel(sign('login.password'), { exact: true }).fill(password)
  }
  const logIn = (page: Page) =>
    page.getByRole('button', { name: sign('login.submit'), exact: true }).click()
  const asRoot = async () => {
    const page = await open()
    await page.goto('/login')
    await fillPassword(page)
    await logIn(page)
    await page.waitForURL('**/token')
    return page
  }
  /** As sentences take it: Chinese leaves room around Latin letters. */
  const continueWith = (name: string) =>
    new RegExp(`^${shared('signIn.with').replace('{name}', `\\s?${name}\\s?`)}$`)
  const fits = async (page: Page) =>
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      isOnPhone ? 390 : 1280,
    )
  async function byWechat(code: string) {
    const page = await open()
    await page.goto('/login')
    await page.getByRole('button', { name: continueWith(wechat('name')) }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(wechat('code')).fill(code)
    await dialog.getByRole('button', { name: wechat('signIn') }).click()
    return { page, dialog }
  }

  it('takes the code that WeChat answered', async () => {
    const { page, dialog } = await byWechat('000000')
    const wrong = language === 'zh' ? '验证码错误、已过期' : 'The verification code is wrong'
    await page.getByText(wrong).waitFor()
    await fits(page)
    await dialog.getByLabel(wechat('code')).fill('246810')
    await page.keyboard.press('Enter')
    await page.waitForURL(({ pathname }) => pathname === '/')
  })

  it('refuses people of another WeChat server until the super admin says that they are the same', async () => {
    const value = `${others.url}/moved`
    const token = { WeChatServerToken: 't' }
    await app.root.put('/api/option/', { key: 'WeChatServerAddress', value, with: token })
    const { page: stranger } = await byWechat('246820')
    await stranger
      .getByText(language === 'zh' ? '本站已更换此登录方式' : 'This site now uses another')
      .waitFor()
    const page = await asRoot()
    await page.goto('/setting?tab=system')
    const title = settings('issuers.title').replace('{name}', wechat('name'))
    await page.getByText(title).waitFor()
    await fits(page)
    await page.getByRole('button', { name: settings('issuers.keep'), exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: settings('issuers.keep'), exact: true }).click()
    await page.getByText(settings('issuers.keepDone').replace('{to}', value)).waitFor()
    await page.getByText(title).waitFor({ state: 'detached' })
    const { page: known } = await byWechat('246830')
    await known.waitForURL(({ pathname }) => pathname === '/')
  }, 60_000)

  it('binds Telegram, then signs in with it', async () => {
    const page = await asRoot()
    await page.goto('/personal')
    await page
      .getByRole('button', { name: textsOf('auth-telegram', language)('bindTitle') })
      .click()
    await page.waitForURL('**/setting**')
    expect(page.url()).not.toContain('error')
    const other = await open()
    await other.goto('/login')
    await other.getByRole('button', { name: continueWith('Telegram') }).click()
    await other.waitForURL(({ pathname }) => pathname === '/')
    const user = await other.evaluate(() => localStorage.getItem('user'))
    expect(JSON.parse(user ?? '')).toMatchObject({ username: 'root' })
    await fits(other)
  })

  it('proves the keys of the bot check before it can be switched on', async () => {
    const page = await asRoot()
    await page.goto('/setting?tab=system')
    const test = page.getByRole('button', { name: turnstile('proof.test') })
    const switchOn = page
      .locator('#section-bot-check')
      .getByRole('button', { name: turnstile('proof.switchOn'), exact: true })
    await test.click()
    await page.getByText(language === 'zh' ? '密钥有误' : 'has a wrong secret key').waitFor()
    expect(await switchOn.isDisabled()).toBe(true)
    await app.root.put('/api/option/', { key: 'TurnstileSecretKey', value: 'right' })
    await test.click()
    await switchOn.click()
    await page.getByText(turnstile('proof.isOn')).waitFor()
    await fits(page)
  })

  it('sends the token with the password, and another one after a failure', async () => {
    verified.length = 0
    const page = await open()
    await page.goto('/login')
    const passed = page.getByText('site-key passed')
    await fillPassword(page, 'wrong password')
    await passed.waitFor()
    const answer = page.waitForResponse(/\/api\/user\/login\?turnstile=human-/)
    await logIn(page)
    await answer
    await page
      .getByText(language === 'zh' ? '用户名或密码错误' : 'The user name or the password is wrong')
      .waitFor()
    await passed.waitFor()
    await fits(page)
    await page.getByLabel(sign('login.password'), { exact: true }).fill(rootAccount.password)
    await logIn(page)
    await page.waitForURL('**/token')
    expect(verified).toHaveLength(1)
  })
})
