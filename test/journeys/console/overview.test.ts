// An administrator in front of an empty gateway: the overview leads to the first call and sees it arrive.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  type App,
  fakeUpstream,
  type FakeUpstream,
  openaiClient,
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

describe.runIf(chromium)('the overview of a new gateway', () => {
  let app: App
  let upstream: FakeUpstream
  let browser: Browser | undefined
  let page: Page
  let key: string

  beforeAll(async () => {
    buildConsole()
    upstream = await fakeUpstream()
    app = await startApp()
    browser = await openBrowser(chromium ?? '')
    page = (await openPage(browser, app.url)).page
    await signInPage(page, rootAccount)
    await page.goto('/overview')
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await app.close()
    await upstream.close()
  })

  const step = (name: string) => page.getByRole('listitem').filter({ hasText: name })

  it('begins with the channel', async () => {
    await step('Add a channel (open)').getByRole('link', { name: 'Add channel' }).waitFor()
    await page.getByText('You have no token yet').waitFor()
  })

  it('ticks each step while it is looked at', async () => {
    await addChannel(app.root, { base_url: upstream.url, models: 'own-model' })
    await step('Add a channel (done)').waitFor()
    expect(await step('Set prices (open)').count()).toBe(1)
    await setPrice(app.root, 'own-model', 1)
    await step('Set prices (done)').waitFor()
    const token = { name: 'first key', unlimited_quota: true, expired_time: -1 }
    key = `sk-${(await app.root.post<{ key: string }>('/api/token/', token)).key}`
    await step('Create a token (done)').waitFor()
    await page.getByText('Waiting for the first call').waitFor()
  })

  it('sees the first call arrive', async () => {
    await openaiClient(app.url, key).chat.completions.create({
      model: 'own-model',
      messages: [{ role: 'user', content: 'Hello' }],
    })
    await page.getByText('The first call has arrived: own-model with first key').waitFor()
  })

  it('offers the same call to copy, with the key, and no longer the steps', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/overview')
    await page.getByRole('tab', { name: 'Python' }).click()
    const snippet = page.getByRole('tabpanel')
    expect(await snippet.innerText()).toContain('# first key')
    expect(await snippet.innerText()).not.toContain(key)
    await page.getByRole('button', { name: 'Copy with the key' }).click()
    await page.getByText('Copied, with the key of first key.').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(key)
    expect(await page.getByText('To the first call').count()).toBe(0)
  })
})
