// What opens over a screen: tabs, drawers, dialogs, menus and lists. Found by pressing each button once, so that a new one is found without a list.
import { readFileSync } from 'node:fs'
import type { ElementHandle, Page } from 'playwright-core'
import { visit } from '../screens.ts'

const inPage = readFileSync(new URL('openings-in-page.js', import.meta.url), 'utf8')

/** A drawer opened from the page is gone through as the page is; what opens from there is only looked at. */
const MAX_LEVEL = 2
const PRESS_MS = 2_000
const MAX_HEIGHT = 4_000

interface Walk {
  page: Page
  address: string
  /** Called for each opening, with the names of what was pressed to reach it. */
  take(path: string): Promise<void>
}

/** Visits the address, and takes what is there and all that opens from there. */
export async function eachOpening(walk: Walk): Promise<void> {
  await walk.page.emulateMedia({ reducedMotion: 'reduce' })
  // A form that was changed asks before the page is loaded anew.
  walk.page.on('dialog', (dialog) => void dialog.accept())
  await visit(walk.page, walk.address)
  await walk.take('')
  await pressEach(walk, '', await countOf(walk.page), 1)
}

async function pressEach(walk: Walk, path: string, count: number, level: number): Promise<void> {
  const done: string[] = []
  for (;;) {
    const next = await nextOf(walk.page, done)
    if (!next) return
    done.push(next.name)
    const before = walk.page.url()
    const isPressed = await next.control
      .click({ timeout: PRESS_MS })
      .then(() => true)
      .catch(() => false)
    if (!isPressed) continue
    await settled(walk.page)
    const now = await countOf(walk.page)
    const own = path === '' ? next.name : `${path}-${next.name}`
    if (now > count) {
      await walk.take(own)
      if (level < MAX_LEVEL && (await walk.page.evaluate<boolean>('openings.goesOn()')))
        await pressEach(walk, own, now, level + 1)
    } else if (next.isTab || (next.isLast && now === count)) await walk.take(own)
    if (!(await isBack(walk, before, count)) && level > 1) return
  }
}

/** Closes what has opened. False where that led elsewhere: the page is as it was at first then. */
async function isBack({ page, address }: Walk, before: string, count: number): Promise<boolean> {
  for (let tries = 0; tries < 3 && (await countOf(page)) > count; tries++) {
    await page.keyboard.press('Escape')
    await settled(page)
  }
  const path = (url: string) => new URL(url).pathname
  if ((await countOf(page)) === count && path(page.url()) === path(before)) return true
  await visit(page, address)
  return false
}

async function nextOf(page: Page, done: readonly string[]): Promise<Next | undefined> {
  await page.evaluate(`if (typeof openings === 'undefined') { ${inPage} }`)
  const found = await page.evaluateHandle(`openings.next(${JSON.stringify(done)})`)
  const control = (await found.getProperty('control').catch(() => undefined))?.asElement()
  if (!control) return undefined
  const name = (await (await found.getProperty('name')).jsonValue()) as string
  const isTab = (await (await found.getProperty('isTab')).jsonValue()) as boolean
  const isLast = (await (await found.getProperty('isLast')).jsonValue()) as boolean
  return { control, name, isTab, isLast }
}

interface Next {
  control: ElementHandle
  name: string
  isTab: boolean
  /** A button that sends a form: what it refuses is seen after it. */
  isLast: boolean
}

async function countOf(page: Page): Promise<number> {
  await page.evaluate(`if (typeof openings === 'undefined') { ${inPage} }`)
  return page.evaluate<number>('openings.count()')
}

async function settled(page: Page): Promise<void> {
  await page.evaluate('screenUnderTest.untilQuiet()')
}

/** The whole of what is on top, also what one would have to scroll to. */
export async function wholePicture(page: Page, path: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 0, height: 0 }
  // Twice: what comes into sight may load more.
  for (let round = 0; round < 2; round++) {
    const hidden = await page.evaluate<number>(`{ ${inPage} } openings.hiddenHeight()`)
    const seen = page.viewportSize()?.height ?? size.height
    if (hidden === 0) break
    await page.setViewportSize({ ...size, height: Math.min(seen + hidden, MAX_HEIGHT) })
    await settled(page)
  }
  await page.screenshot({ path })
  await page.setViewportSize(size)
}
