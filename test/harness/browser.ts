// The system's Chromium, driven by playwright-core: nothing is downloaded.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, type Page, chromium } from 'playwright-core'
import { textsOf } from './texts.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const places = [
  process.env['CHROMIUM_PATH'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Undefined where no browser is installed; with CI=true that is a failure. */
export function chromiumPath(): string | undefined {
  const found = places.find((place) => place !== '' && existsSync(place))
  if (found !== undefined) return found
  const message =
    'Chromium is not installed: the journeys in the console DO NOT RUN (apt-get install chromium)'
  if (process.env['CI'] === 'true') throw new Error(message)
  console.warn(message)
  return undefined
}

/** Builds the console when it is older than its sources. Before the gateway starts: it reads the page once. */
export function buildConsole(): void {
  // The test runner's own NODE_ENV would build React for development.
  const env = { ...process.env, NODE_ENV: 'production' }
  const options = { cwd: repository, env, stdio: 'ignore' } as const
  execFileSync(process.execPath, ['console/ensure-built.ts'], options)
}

export function openBrowser(executablePath: string): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']
  return chromium.launch({ executablePath, args })
}

/** A control that has not come by then will not come; shorter than a test may take, so that the fault names it. */
const actionTimeoutMs = 10_000

export interface ConsolePage {
  page: Page
  /** Errors of scripts and refused loads since the page opened. */
  faults: string[]
}

/** How a person looks at the console. */
export interface Viewer {
  language?: 'en' | 'zh'
  isOnPhone?: boolean
}

/** A page, in English on a desk if nothing else is said, with whatever the browser complains about written down. */
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
  context.setDefaultTimeout(actionTimeoutMs)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  return { page, faults }
}

/** Signs in by the form and waits for the console behind it. */
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
