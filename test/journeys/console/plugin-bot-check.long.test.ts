// A bot check that a plugin from outside brings, on the login page in Chromium: test/samples/tick-box.
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addCustomer, type App, rootAccount, startApp } from '#test'
import { buildConsole, chromiumPath, openBrowser, openPage } from '../../harness/browser.ts'
import { customerPassword } from '../../harness/shop.ts'

const chromium = chromiumPath()
const samples = fileURLToPath(new URL('../../samples', import.meta.url))

describe.runIf(chromium)('a bot check of a plugin', () => {
  let app: App
  let browser: Browser | undefined

  beforeAll(async () => {
    buildConsole()
    app = await startApp({ env: { PLUGIN_DIRS: samples }, plugins: ['tick-box'] })
    await addCustomer(app.root, 'ada', 1000)
    await app.root.put('/api/option/', { key: 'TickBoxEnabled', value: 'true' })
    browser = await openBrowser(chromium ?? '')
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await app.close()
  })

  async function login(username: string, password: string) {
    if (!browser) throw new Error('no browser')
    const { page } = await openPage(browser, app.url)
    await page.goto('/login')
    await page.getByLabel('Username or e-mail').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(password)
    return { page, logIn: page.getByRole('button', { name: 'Sign in', exact: true }) }
  }

  it('waits for the box, and the console sends its token', async () => {
    const { page, logIn } = await login('ada', customerPassword)
    await page.getByText('I am a person').waitFor()
    await logIn.click()
    await page.getByText('The bot check has not finished').waitFor()
    const answer = page.waitForResponse(/\/api\/user\/login\?turnstile=ticked&bot_check=tick-box/)
    await page.getByLabel('I am a person').check()
    await logIn.click()
    await answer
    await page.waitForURL('**/token')
  })

  it('does not keep the last admin out of a browser that knows him when its widget is broken', async () => {
    const { page, logIn } = await login(rootAccount.username, rootAccount.password)
    await page.getByLabel('I am a person').check()
    await logIn.click()
    await page.waitForURL('**/token')
    await page.evaluate(() => fetch('/api/user/logout'))
    await page.route('**/plugin-assets/tick-box/**', (route) => route.abort())
    await page.goto('/login')
    await page.getByLabel('Username or e-mail').fill(rootAccount.username)
    await page.getByLabel('Password', { exact: true }).fill(rootAccount.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('**/token')
  })

  it('keeps programs out, and a stranger who has no token', async () => {
    const body = JSON.stringify({ username: 'ada', password: customerPassword })
    const headers = { 'content-type': 'application/json' }
    for (const query of ['', '?turnstile=guessed', '?turnstile=guessed&bot_check=none']) {
      const response = await fetch(`${app.url}/api/user/login${query}`, {
        method: 'POST',
        headers,
        body,
      })
      expect(await response.json()).toMatchObject({ success: false })
    }
  })
})
