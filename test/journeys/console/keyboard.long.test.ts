// Whoever has no mouse opens every drawer, dialog and menu, leaves it by Escape, and goes on where he was.
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from '#test'
import { buildConsole, chromiumPath, openBrowser } from '../../harness/browser.ts'
import { fillLifelike } from '../../harness/lifelike/index.ts'
import { openRootWindow, visit } from '../../harness/screens.ts'

const chromium = chromiumPath()

interface Opener {
  what: string
  address: string
  opener: (page: Page) => Locator
  /** What is pressed before it is there. */
  before?: (page: Page) => Promise<unknown>
}

const button = (name: string | RegExp) => (page: Page) =>
  page
    .getByRole('main')
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
const inRow = (name: string | RegExp) => (page: Page) =>
  page.getByRole('row').nth(1).getByRole('button', { name }).first()
const more = (page: Page) => page.locator('.row-actions [aria-haspopup="menu"]').first()

const dialogs: Opener[] = [
  { what: 'a new token', address: '/token', opener: button('Create token') },
  { what: 'a token', address: '/token', opener: inRow(/^Edit/) },
  { what: 'a new code', address: '/redemption', opener: button('Create codes') },
  { what: 'a code', address: '/redemption', opener: inRow(/^Edit/) },
  { what: 'a new channel', address: '/channel', opener: button('Add channel') },
  { what: 'a channel', address: '/channel', opener: inRow(/^Edit/) },
  { what: 'a new user', address: '/user', opener: button('Add user') },
  { what: 'a user', address: '/user', opener: inRow(/^Edit/) },
  { what: 'a question', address: '/user', opener: inRow(/^Disable/) },
  {
    what: 'a prompt',
    address: '/midjourney',
    opener: (page) =>
      page
        .getByRole('row')
        .nth(1)
        .getByRole('button', { name: /…|A |cat|Iso|水/ })
        .first(),
  },
  {
    what: 'a record',
    address: '/task',
    opener: inRow(/17\d+/),
  },
  {
    what: 'the ratios',
    address: '/pricing',
    opener: (page) => page.locator('.price-formula button'),
  },
  { what: 'the second factor', address: '/personal', opener: button('Set up') },
  {
    what: 'a question about many',
    address: '/token',
    before: (page) => page.getByRole('row').nth(1).getByRole('checkbox').press('Space'),
    opener: (page) => page.locator('.bulk-bar').getByRole('button', { name: 'Delete' }),
  },
]

const menus: Opener[] = [
  { what: 'the rest of the actions', address: '/token', opener: more },
  { what: 'the actions on all channels', address: '/channel', opener: button('All channels') },
  {
    what: 'the account',
    address: '/overview',
    opener: (page) => page.locator('.top-bar [aria-haspopup="menu"]').last(),
  },
  {
    what: 'the language',
    address: '/overview',
    opener: (page) => page.locator('.top-bar [aria-haspopup="menu"]').first(),
  },
]

describe.runIf(chromium)('by keys alone', () => {
  let app: App
  let browser: Browser | undefined
  let root: BrowserContext
  let page: Page

  beforeAll(async () => {
    buildConsole()
    app = await startApp()
    await fillLifelike(app, { channels: 12, users: 10, logs: 60, upstreamUrl: 'http://127.0.0.1' })
    browser = await openBrowser(chromium ?? '')
    root = await openRootWindow(browser, app.url)
    page = await root.newPage()
    page.setDefaultTimeout(8_000)
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await app.close()
  })

  it.each(dialogs)(
    'opens $what, leaves by Escape and is back',
    async ({ address, opener, before }) => {
      await visit(page, address)
      await before?.(page)
      const from = opener(page)
      await from.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog').last()
      await dialog.waitFor()
      await expect.poll(() => holdsFocus(dialog)).toBe(true)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      await expect.poll(() => isFocused(from)).toBe(true)
    },
  )

  it('opens a row of the log, leaves by Escape and is back', async () => {
    await visit(page, '/log')
    const first = page.locator('tbody tr').first().locator('[tabindex="0"], button').first()
    await first.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await expect.poll(() => holdsFocus(dialog)).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(() => isFocused(first)).toBe(true)
  })

  it.each(menus)(
    'walks through $what with the arrows, and is back after Escape',
    async ({ address, opener }) => {
      await visit(page, address)
      const from = opener(page)
      await from.focus()
      await page.keyboard.press('Enter')
      const items = page.getByRole('menuitem')
      await items.first().waitFor()
      await expect.poll(() => isFocused(items.first())).toBe(true)
      await page.keyboard.press('ArrowDown')
      await expect.poll(() => isFocused(items.nth(1))).toBe(true)
      await page.keyboard.press('End')
      await expect.poll(() => isFocused(items.last())).toBe(true)
      await page.keyboard.press('Escape')
      await items.first().waitFor({ state: 'hidden' })
      await expect.poll(() => isFocused(from)).toBe(true)
    },
  )
})

function isFocused(element: Locator): Promise<boolean> {
  return element.evaluate(
    (node: { ownerDocument: { activeElement: unknown } }) =>
      node.ownerDocument.activeElement === node,
  )
}

function holdsFocus(element: Locator): Promise<boolean> {
  return element.evaluate(
    (node: { ownerDocument: { activeElement: unknown }; contains(other: unknown): boolean }) =>
      node.contains(node.ownerDocument.activeElement),
  )
}
