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
import {
  buildConsole,
  chromiumPath,
  openBrowser,
  openPage,
  signInPage,
} from '../../harness/browser.ts'

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

describe.runIf(chromium)('signing in by a widget', () => {
  let app: App
  let others: ScriptedUpstream
  let browser: Browser | undefined
  const verified: string[] = []

  beforeAll(async () => {
    buildConsole()
    others = await scriptedUpstream()
    others.behave((response, { path, sent }) => {
      if (path.startsWith('/api/wechat/user'))
        return sendJson(response, { success: true, data: path.includes('246810') ? 'o_ada' : '' })
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
    const { page } = await openPage(browser, app.url)
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

  it('takes the code that WeChat answered, on a phone', async () => {
    const page = await open()
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto('/login')
    await page.getByRole('button', { name: 'Continue with WeChat' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Verification code').fill('000000')
    await dialog.getByRole('button', { name: 'Sign in with WeChat' }).click()
    await page.getByText('The verification code is wrong, has expired or was used').waitFor()
    await dialog.getByLabel('Verification code').fill('246810')
    await page.keyboard.press('Enter')
    await page.waitForURL(({ pathname }) => pathname === '/')
  })

  it('binds Telegram, then signs in with it', async () => {
    const page = await open()
    await signInPage(page, rootAccount)
    await page.goto('/personal')
    await page.getByRole('button', { name: 'Bind Telegram' }).click()
    await page.waitForURL('**/setting**')
    expect(page.url()).not.toContain('error')
    const other = await open()
    await other.goto('/login')
    await other.getByRole('button', { name: 'Continue with Telegram' }).click()
    await other.waitForURL(({ pathname }) => pathname === '/')
    const user = await other.evaluate(() => localStorage.getItem('user'))
    expect(JSON.parse(user ?? '')).toMatchObject({ username: 'root' })
  })

  it('proves the keys of the bot check before it can be switched on', async () => {
    const page = await open()
    await signInPage(page, rootAccount)
    await page.goto('/setting?tab=system')
    const test = page.getByRole('button', { name: 'Test the keys' })
    const switchOn = page.getByRole('button', { name: 'Switch on' })
    await test.click()
    await page.getByText('has a wrong secret key').waitFor()
    expect(await switchOn.isDisabled()).toBe(true)
    await app.root.put('/api/option/', { key: 'TurnstileSecretKey', value: 'right' })
    await test.click()
    await switchOn.click()
    await page.getByText('The bot check is on').waitFor()
  })

  it('sends the token with the password, and another one after a failure', async () => {
    verified.length = 0
    const page = await open()
    await page.goto('/login')
    const passed = page.getByText('site-key passed')
    await page.getByLabel('Username or e-mail').fill(rootAccount.username)
    await page.getByLabel('Password', { exact: true }).fill('wrong password')
    const logIn = page.getByRole('button', { name: 'Log in' })
    await passed.waitFor()
    const answer = page.waitForResponse(/\/api\/user\/login\?turnstile=human-/)
    await logIn.click()
    await answer
    await page.getByText('The user name or the password is wrong').waitFor()
    await passed.waitFor()
    await page.getByLabel('Password', { exact: true }).fill(rootAccount.password)
    await logIn.click()
    await page.waitForURL('**/token')
    expect(verified).toHaveLength(1)
  })
})
