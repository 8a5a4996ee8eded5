// A console part in TSX, built by `tollgate plugin build` and loaded by a console that was not built anew: the guardrail of docs/examples.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  fakeUpstream,
  rootAccount,
  setPrice,
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
const repository = fileURLToPath(new URL('../../..', import.meta.url))
const veil = `${repository}/docs/examples/veil`

describe.runIf(chromium)('a part in TSX', () => {
  let app: App
  let browser: Browser

  beforeAll(async () => {
    buildConsole()
    execFileSync(process.execPath, ['core/cli/tollgate.js', 'plugin', 'build', veil], {
      cwd: repository,
    })
    app = await startApp({ env: { PLUGIN_DIRS: veil }, plugins: ['veil'] })
    browser = await openBrowser(chromium ?? '')
  }, 180_000)

  afterAll(async () => {
    await browser.close()
    await app.close()
  })

  it('shares the kit and the router with the console', async () => {
    const { page, faults } = await openPage(browser, app.url)
    await signInPage(page, rootAccount)
    await page.getByRole('link', { name: 'Hidden data' }).first().click()
    await page.getByRole('heading', { name: 'Hidden data' }).waitFor()
    await page.getByText('Nothing was hidden yet').waitFor()
    await page.goto('/setting?tab=operation#section-veil')
    await page.locator('#section-veil').getByLabel('Hide personal data from upstreams').waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('shows on its screen and its card what was hidden', async () => {
    const upstream = await fakeUpstream()
    try {
      await addChannel(app.root, { base_url: upstream.url, models: 'a-model' })
      await setPrice(app.root, 'a-model', 1)
      const { key } = await addCustomer(app.root, 'ada', 1_000_000)
      await fetch(`${app.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'a-model',
          messages: [{ role: 'user', content: 'ada@example.com' }],
        }),
      })
    } finally {
      await upstream.close()
    }
    const { page, faults } = await openPage(browser, app.url)
    await signInPage(page, rootAccount)
    await page.goto('/overview')
    await page.locator('[data-veil-today]', { hasText: '1 hidden today' }).waitFor()
    await page.goto('/veil')
    await page.getByText('E-mail addresses').waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })
})
