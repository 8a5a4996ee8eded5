// npm run screenshots: every screen in both themes, on a desk and on a phone, in both languages, over a large month of data. For people to look
// at; the pictures go to a folder outside the repository: `npm run screenshots -- [folder] [part of an address]`.
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { startApp } from './harness/app.ts'
import { buildConsole, chromiumPath, openBrowser } from './harness/browser.ts'
import { fillLifelike } from './harness/lifelike/index.ts'
import { knownScreens, openRootWindow, openWindow, visit } from './harness/screens.ts'

const size = { channels: 200, users: 500, logs: 2_000 }
const themes = ['light', 'dark'] as const
const widths = [1440, 390] as const
const languages = ['zh', 'en'] as const

const [folder = join(tmpdir(), 'tollgate-screens'), part = ''] = process.argv.slice(2)

async function takeAll(): Promise<void> {
  const chromium = chromiumPath()
  if (chromium === undefined) throw new Error('There is no Chromium to take pictures with.')
  buildConsole()
  const app = await startApp()
  const browser = await openBrowser(chromium)
  try {
    await fillLifelike(app, { ...size, upstreamUrl: 'http://127.0.0.1' })
    for (const theme of themes) {
      for (const width of widths) {
        for (const language of languages) {
          const look = { theme, width, language }
          const visitor = await openWindow(browser, app.url, look)
          const root = await openRootWindow(browser, app.url, look)
          const place = join(folder, `${theme}-${width}-${language}`)
          await mkdir(place, { recursive: true })
          for (const { address, access } of knownScreens()) {
            if (!address.includes(part)) continue
            await take(access === 'public' ? visitor : root, address, place)
          }
          await Promise.all([visitor.close(), root.close()])
        }
      }
    }
  } finally {
    await browser.close()
    await app.close()
  }
  console.log(folder)
}

async function take(context: BrowserContext, address: string, place: string): Promise<void> {
  const page = await context.newPage()
  try {
    await visit(page, address)
    const name = address === '/' ? 'home' : address.slice(1).replaceAll('/', '-')
    await page.screenshot({ path: join(place, `${name}.png`) })
  } finally {
    await page.close()
  }
}

await takeAll()
