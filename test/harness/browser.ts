// The system's Chromium, driven by playwright-core; nothing is downloaded.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, type Page, chromium } from 'playwright-core'
import { textsOf } from './texts.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const places = [
  process.env['CHROMIUM_PATH'] ?? '',
  // The same engine without windows: a page takes half of the processor time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Undefined where no browser is installed; with CI=true that is a failure. */
export function chromiumPath(): string | undefined {
  const found = places.find((place) => place !== '' && existsSync(place))
  if (found !== undefined) return found
  const message =
    'Chromium is not installed: the journeys in the console DO NOT RUN (apt-get install chromium-headless-shell)'
  if (process.env['CI'] === 'true') throw new Error(message)
  console.warn(message)
  return undefined
}

/** Builds the console if its sources have changed. Call it before the gateway starts, which reads the page once. */
export function buildConsole(): void {
  // With the NODE_ENV of the test runner, React would be built for development.
  const env = { ...process.env, NODE_ENV: 'production' }
  const options = { cwd: repository, env, stdio: 'ignore' } as const
  execFileSync(process.execPath, ['console/ensure-built.ts'], options)
}

export function openBrowser(executablePath: string): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']
  return chromium.launch({ executablePath, args })
}

/** The time to wait for a control. It is shorter than the limit of a test, so that the error names the control. */
const actionTimeoutMs = 30_000

/** For pages of the console: takes away what is younger than the oldest browsers that it is made for
 *  (console/README.md), so that a use of it fails. */
export function becomeOldest(): void {
  const iterators = Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object
  const younger: readonly (readonly [object, string])[] = [
    [Map, 'groupBy'],
    [Object, 'groupBy'],
    [Array, 'fromAsync'],
    [Promise, 'withResolvers try'],
    [AbortSignal, 'any'],
    [URL, 'canParse parse'],
    [RegExp, 'escape'],
    [Error, 'isError'],
    [Uint8Array, 'fromBase64 fromHex'],
    [Uint8Array.prototype, 'toBase64 toHex'],
    [ArrayBuffer.prototype, 'transfer transferToFixedLength'],
    [Map.prototype, 'getOrInsert getOrInsertComputed'],
    [Set.prototype, 'union intersection difference symmetricDifference isSubsetOf isSupersetOf'],
    [Set.prototype, 'isDisjointFrom'],
    [iterators, 'map filter take drop flatMap reduce toArray forEach some every find'],
    [Intl, 'DurationFormat Segmenter'],
    [globalThis, 'Iterator navigation scheduler requestIdleCallback'],
  ]
  for (const [owner, names] of younger)
    for (const name of names.split(' ')) Reflect.deleteProperty(owner, name)
}

export interface ConsolePage {
  page: Page
  /** Script errors and refused requests since the page was opened. */
  faults: string[]
}

/** Language, size and theme of a page. */
export interface Viewer {
  language?: 'en' | 'zh'
  isOnPhone?: boolean
}

/** Opens a page, by default in English on a desktop, and records the errors that the browser reports. */
export async function openPage(
  browser: Browser,
  url: string,
  { language = 'en', isOnPhone = false }: Viewer = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({
    baseURL: url,
    locale: language === 'zh' ? 'zh-CN' : 'en-US',
    viewport: isOnPhone ? { width: 390, height: 844 } : { width: 1280, height: 900 },
  })
  await context.addInitScript(becomeOldest)
  context.setDefaultTimeout(actionTimeoutMs)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  return { page, faults }
}

/** Signs in with the form and waits for the console. */
export async function signInPage(
  page: Page,
  { username, password }: { username: string; password: string },
  language: Viewer['language'] = 'en',
): Promise<void> {
  const t = textsOf('auth-password', language)
  await page.goto('/login')
  await page.getByLabel(t('login.username')).fill(username)
  await page.getByLabel(t('login.password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: t('login.submit'), exact: true }).click()
  await page.waitForURL('**/token')
}
