// The system's Chromium, driven by playwright-core: nothing is downloaded.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, type Page, chromium } from 'playwright-core'

const repository = new URL('../..', import.meta.url).pathname
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

/** Builds the console when it is older than its sources, then starts the browser. */
export async function openBrowser(executablePath: string): Promise<Browser> {
  execFileSync(process.execPath, ['console/ensure-built.ts'], { cwd: repository, stdio: 'ignore' })
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  })
}

export interface ConsolePage {
  page: Page
  /** Errors of scripts and refused loads since the page opened. */
  faults: string[]
}

/** A page in English, with whatever the browser complains about written down. */
export async function openPage(browser: Browser, url: string): Promise<ConsolePage> {
  const context = await browser.newContext({
    baseURL: url,
    locale: 'en-US',
    viewport: { width: 1280, height: 900 },
  })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  return { page, faults }
}
