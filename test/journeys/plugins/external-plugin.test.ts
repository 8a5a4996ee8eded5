// The sample of docs/examples: a plugin from outside brings a route, an option, a screen and a card, and nothing is built for it.
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
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
const examples = fileURLToPath(new URL('../../../docs/examples', import.meta.url))

let app: App

beforeAll(async () => {
  if (chromium) buildConsole()
  app = await startApp({ isWithin: true, env: { PLUGIN_DIRS: examples }, plugins: ['greeting'] })
})

afterAll(() => app.close())

const switchPlugin = (enabled: boolean) => app.root.put('/api/plugin/', { id: 'greeting', enabled })

describe('a plugin from a folder outside', () => {
  it('is listed as on, with its source and its option', async () => {
    const plugins = await app.root.get<Record<string, unknown>[]>('/api/plugin/')
    expect(plugins.find(({ id }) => id === 'greeting')).toMatchObject({
      source: 'folder',
      state: 'on',
      options: ['GreetingText'],
    })
  })

  it('serves its route and follows its option', async () => {
    expect(await app.root.get('/api/greeting')).toBe('Hello, root')
    await app.root.put('/api/option/', { key: 'GreetingText', value: 'Good day, {name}' })
    expect(await app.root.get('/api/greeting')).toBe('Good day, root')
  })

  it('has its option checked by its schema', async () => {
    const tooLong = { key: 'GreetingText', value: 'x'.repeat(201) }
    const answer = await app.root.call('PUT', '/api/option/', tooLong)
    expect(answer).toMatchObject({ status: 200, success: false })
    expect(answer.message).toContain('GreetingText')
  })

  it('is gone with its route when it is switched off, and back when switched on', async () => {
    await switchPlugin(false)
    expect((await app.root.call('GET', '/api/greeting')).status).toBe(404)
    const bundles = await app.root.get<{ id: string }[]>('/api/plugin/console')
    expect(bundles.map(({ id }) => id)).not.toContain('greeting')
    await switchPlugin(true)
    expect((await app.root.call('GET', '/api/greeting')).status).toBe(200)
  })

  it('has a log row for what was done about it, and none for what was refused', async () => {
    const unpark = (id: string) => app.root.call('POST', '/api/plugin/unpark', { id })
    expect(await unpark('nobody')).toMatchObject({ code: 'plugins.unknown' })
    expect(await unpark('greeting')).toMatchObject({ success: true })
    const rows = async () => {
      const { items } = await app.root.get<{ items: { content: string }[] }>('/api/log/?type=3')
      return items.map(({ content }) => content).filter((text) => text.includes('unparked'))
    }
    await expect.poll(rows).toEqual(['Plugin greeting was unparked'])
  })
})

describe.runIf(chromium)('its screen in the console', () => {
  let browser: Browser
  let page: Page
  let faults: string[]

  beforeAll(async () => {
    browser = await openBrowser(chromium ?? '')
    ;({ page, faults } = await openPage(browser, app.url))
    await signInPage(page, rootAccount)
  })

  afterAll(() => browser.close())

  it('stands in the menu and shows what its route says', async () => {
    await page.getByRole('link', { name: 'Greeting' }).click()
    await page.getByText('Good day, root').waitFor()
    expect(faults).toEqual([])
  })

  it('has its card among those of the overview', async () => {
    await page.goto('/overview')
    await page.getByText('A card from outside').waitFor()
    expect(faults).toEqual([])
  })

  it('has its option and its own part on the settings page', async () => {
    await page.goto('/setting?plugin=greeting')
    const card = page.locator('#section-greeting')
    await card.getByLabel('Words of the greeting').waitFor()
    await card.locator('[data-greeting-preview]').waitFor()
    expect(faults).toEqual([])
  })

  it('leaves the menu when the plugin is off', async () => {
    await switchPlugin(false)
    await page.goto('/overview')
    await page.getByRole('link', { name: 'API tokens' }).first().waitFor()
    expect(await page.getByRole('link', { name: 'Greeting' }).count()).toBe(0)
  })
})
