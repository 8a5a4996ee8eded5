// npm run screenshots: every screen, and all that opens over it, in both themes, on a desk and on a phone, in both languages, over a large month of
// data. For people to look at; the pictures go to a folder outside the repository: `npm run screenshots -- [folder] [part of an address] [part of
// a look, as in dark-390-zh]`.
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext } from 'playwright-core'
import { offAtFirstStart } from '../config/plugins.ts'
import { startApp } from './harness/app.ts'
import { buildConsole, chromiumPath, openBrowser } from './harness/browser.ts'
import { fillLifelike } from './harness/lifelike/index.ts'
import { addSite } from './harness/lifelike/site.ts'
import { eachOpening, wholePicture } from './harness/pictures/openings.ts'
import { knownScreens, type Look, openRootWindow, openWindow } from './harness/screens.ts'

const size = { channels: 200, users: 500, logs: 2_000 }
const themes = ['light', 'dark'] as const
const widths = [1440, 390] as const
const languages = ['zh', 'en'] as const

const [folder = join(tmpdir(), 'tollgate-screens'), part = '', lookPart = ''] =
  process.argv.slice(2)

async function takeAll(): Promise<void> {
  const chromium = chromiumPath()
  if (chromium === undefined) throw new Error('There is no Chromium to take pictures with.')
  buildConsole()
  const app = await startApp({ plugins: offAtFirstStart })
  const browser = await openBrowser(chromium)
  try {
    await fillLifelike(app, { ...size, upstreamUrl: 'http://127.0.0.1' })
    await addSite(app)
    for (const look of looks()) await takeLook(browser, app.url, look)
  } finally {
    await browser.close()
    await app.close()
  }
  console.log(folder)
}

function looks() {
  return themes.flatMap((theme) =>
    widths.flatMap((width) => languages.map((language) => ({ theme, width, language }))),
  )
}

async function takeLook(browser: Browser, url: string, look: Look): Promise<void> {
  const name = `${look.theme}-${look.width}-${look.language}`
  if (!name.includes(lookPart)) return
  const visitor = await openWindow(browser, url, look)
  const root = await openRootWindow(browser, url, look)
  const place = join(folder, name)
  await mkdir(place, { recursive: true })
  for (const { address, access } of knownScreens()) {
    if (address.includes(part)) await take(access === 'public' ? visitor : root, address, place)
  }
  await Promise.all([visitor.close(), root.close()])
}

async function take(context: BrowserContext, address: string, place: string): Promise<void> {
  const page = await context.newPage()
  const name = address === '/' ? 'home' : address.slice(1).replaceAll('/', '-')
  try {
    await eachOpening({
      page,
      address,
      take: (path) => wholePicture(page, join(place, `${name}${path && `--${path}`}.png`)),
    })
  } finally {
    await page.close()
  }
}

await takeAll()
