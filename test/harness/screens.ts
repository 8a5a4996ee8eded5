// Every screen of the console, read from the plugins' own declarations, so that a new one is found without a list.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { readPluginData } from '../../console/build/plugin-data.ts'
import { rootAccount } from './app.ts'
import { becomeOldest } from './browser.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

export interface KnownScreen {
  plugin: string
  /** The address to visit: `:id` becomes 1, and optional parts are left out. */
  address: string
  access: 'public' | 'user' | 'admin' | 'options' | 'root'
}

export function knownScreens(): KnownScreen[] {
  return readPluginData(repository).flatMap(({ id, screens }) =>
    screens.map(({ path, access }) => ({ plugin: id, address: addressOf(path), access })),
  )
}

function addressOf(path: string): string {
  const parts = path.split('/').filter((part) => !part.endsWith('?'))
  return parts.map((part) => (part.startsWith(':') || part === '*' ? '1' : part)).join('/') || '/'
}

export interface Look {
  theme?: 'light' | 'dark'
  language?: 'en' | 'zh'
  width?: number
  /** Left out: a visitor. */
  account?: { username: string; password: string }
}

/** A new window whose theme, language and session are set before the first page. */
export async function openWindow(
  browser: Browser,
  url: string,
  { theme = 'light', language = 'en', width = 1440, account }: Look = {},
): Promise<BrowserContext> {
  const viewport = { width, height: width < 600 ? 844 : 900 }
  const context = await browser.newContext({ baseURL: url, viewport })
  await context.addInitScript(becomeOldest)
  await context.addInitScript(remembering({ 'theme-mode': theme, i18nextLng: language }))
  await context.addInitScript({ path: join(repository, 'test/harness/in-page.js') })
  if (!account) return context
  const answer = await context.request.post('/api/user/login', { data: account })
  if (!answer.ok()) throw new Error(`Nobody is signed in: ${await answer.text()}`)
  const { data } = (await answer.json()) as { data: object }
  await context.addInitScript(remembering({ user: JSON.stringify(data) }))
  return context
}

/** A script for the page that sets values in local storage. */
function remembering(values: Record<string, string>): string {
  return `Object.entries(${JSON.stringify(values)}).forEach(([key, value]) => localStorage.setItem(key, value))`
}

/** Signed in as the super admin, who sees every screen. */
export function openRootWindow(browser: Browser, url: string, look: Look = {}) {
  return openWindow(browser, url, { ...look, account: rootAccount })
}

/** Goes to an address and waits until the screen has settled: nothing is loading, and nothing has changed for a
 *  moment. */
export async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: 'load' })
  await page.evaluate('screenUnderTest.untilQuiet()')
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const inPage = readFileSync(join(repository, 'test/harness/in-page.js'), 'utf8')

const ofScreen = `if (typeof screenUnderTest === 'undefined') { ${inPage} }`

/** Serious accessibility faults of the current page, by all rules or by those that are named. */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(ofScreen)
  await page.evaluate(`if (typeof window.axe === 'undefined') { ${axe} }`)
  return page.evaluate<string[]>(`screenUnderTest.violations(${JSON.stringify(rules ?? null)})`)
}

/** The contrast of the first such element with all that it stands on. The audit tells none where a ground is drawn in layers. */
export async function contrastOf(page: Page, selector: string): Promise<number> {
  await page.evaluate(ofScreen)
  return page.evaluate<number>(`screenUnderTest.contrastOf(${JSON.stringify(selector)})`)
}
