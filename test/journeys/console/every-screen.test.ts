// What holds for every screen of the console, whoever brings it: no serious fault of accessibility in either theme, nothing that moves after
// the first paint, no more bytes than a phone can take, no missing text, nothing that scrolls sideways on a phone, nothing that the oldest browsers lack.
import type { Browser, BrowserContext, ConsoleMessage, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, rootAccount, startApp } from '#test'
import { offAtFirstStart } from '../../../config/plugins.ts'
import { buildConsole, chromiumPath, openBrowser } from '../../harness/browser.ts'
import { fillLifelike } from '../../harness/lifelike/index.ts'
import { addSite } from '../../harness/lifelike/site.ts'
import {
  knownScreens,
  openRootWindow,
  openWindow,
  violations,
  visit,
} from '../../harness/screens.ts'

const chromium = chromiumPath()

/** Compressed kB. The first page of a visitor is the tighter one; charts and editors come with the screens that use them.
 *  `first-paint.js`, of less than one, is not counted where the tab has it from the screen before. */
const limits = {
  public: { scriptKb: 299, styleKb: 40 },
  signedIn: { scriptKb: 899, styleKb: 60 },
}
const mostShift = 0.02
const mostRequests = 25
const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

const setupAddress = '/setup'
const screens = knownScreens().filter(({ address }) => address !== setupAddress)

describe.runIf(chromium)('every screen of the console', () => {
  let app: App
  let browser: Browser | undefined
  let visitor: BrowserContext
  let ofVisitor: Tab
  let ofRoot: Tab

  beforeAll(async () => {
    buildConsole()
    app = await startApp({ isSetUp: false })
    browser = await openBrowser(chromium ?? '')
    visitor = await openWindow(browser, app.url)
    ofVisitor = tabOf(visitor)
  })

  afterAll(async () => {
    await browser?.close()
    await app.close()
  })

  it('is found', () => {
    expect(screens.length).toBeGreaterThan(10)
  })

  it('asks for the script that knows the theme before anything larger', async () => {
    const html = await (await fetch(`${app.url}/login`)).text()
    expect(/\b(?:href|src)="([^"]+)"/.exec(html)?.[1]).toBe('/first-paint.js')
  })

  it('before the setup is the wizard', async () => {
    await audit(ofVisitor, setupAddress, limits.public)
  })

  describe('with a month of data', () => {
    beforeAll(async () => {
      const { username, password } = rootAccount
      await app.root.post('/api/setup', { username, password, confirmPassword: password })
      await app.root.signIn(username, password)
      for (const id of offAtFirstStart) await app.root.put('/api/plugin/', { id, enabled: true })
      const upstreamUrl = 'http://127.0.0.1'
      await fillLifelike(app, { channels: 24, users: 40, logs: 300, upstreamUrl })
      await addSite(app)
      ofRoot = tabOf(await openRootWindow(browser as Browser, app.url))
    })

    it('is there for a visitor after few requests, for a browser that makes six at a time', async () => {
      const page = await visitor.newPage()
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await visit(page, '/login')
      await page.close()
      expect(asked.length, asked.join(' ')).toBeLessThanOrEqual(mostRequests)
    })

    it.each(screens.filter(({ access }) => access === 'public'))(
      'holds what is asked of it: $address, for visitors',
      ({ address }) => audit(ofVisitor, address, limits.public),
    )

    it.each(screens.filter(({ access }) => access !== 'public'))(
      'holds what is asked of it: $address',
      ({ address }) => audit(ofRoot, address, limits.signedIn),
    )
  })
})

/** Lends the page to one screen after the other. */
type Tab = (look: (page: Page) => Promise<void>) => Promise<void>

/** What has compiled the console's scripts shows the next screen for a third less. One that a screen did not give back stays behind. */
function tabOf(context: BrowserContext): Tab {
  let free: Page | undefined
  return async (look) => {
    const page = free ?? (await context.newPage())
    free = undefined
    await look(page)
    free = page
  }
}

interface Limit {
  scriptKb: number
  styleKb: number
}

const audit = (tab: Tab, address: string, limit: Limit) =>
  tab((page) => lookAt(page, address, limit))

async function lookAt(page: Page, address: string, limit: Limit): Promise<void> {
  const faults: string[] = []
  const note = (error: Error) => void faults.push(String(error))
  // What a boundary has caught, and shows as a sentence. A refused request is not the screen's.
  const noteCaught = (message: ConsoleMessage) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load'))
      faults.push(message.text())
  }
  page.on('pageerror', note)
  page.on('console', noteCaught)
  try {
    await page.setViewportSize(desk)
    await visit(page, address)
    expect.soft(await violations(page), 'light').toEqual([])
    // After that, which takes a moment: React shows what has loaded late up to 300 ms after it stopped.
    const { shift, scriptKb, styleKb } = await page.evaluate<Measured>('screenUnderTest.measure()')
    await page.evaluate('screenUnderTest.showDark()')
    expect.soft(await violations(page, ['color-contrast']), 'dark').toEqual([])
    await page.setViewportSize(phone)
    await page.evaluate('screenUnderTest.untilQuiet()')
    const width = await page.evaluate<number>('screenUnderTest.widthKept()')
    expect.soft(width, 'width on a phone').toBeLessThanOrEqual(phone.width)
    expect.soft(faults, 'errors and missing texts').toEqual([])
    expect.soft(shift, 'layout shift').toBeLessThan(mostShift)
    expect.soft(scriptKb, 'kB of scripts').toBeLessThan(limit.scriptKb)
    expect.soft(styleKb, 'kB of styles').toBeLessThan(limit.styleKb)
  } finally {
    page.off('pageerror', note)
    page.off('console', noteCaught)
  }
  // What the screen does as it is left is not the next one's.
  await page.goto('about:blank')
}

interface Measured {
  /** Cumulative layout shift, what the visitor did himself left out. */
  shift: number
  /** Compressed. */
  scriptKb: number
  styleKb: number
}
