// What is printed of a screen: its content alone, all columns, a receipt of any length, and ink that can be read on white.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { rootAccount } from '#test'
import { describeConsole } from '../../harness/console-room.ts'
import { fillLifelike } from '../../harness/lifelike/index.ts'

/** A4 in portrait without its margins. */
const paper = { width: 718, height: 1040 }

describeConsole(
  'on paper',
  {
    prepare: (app) =>
      fillLifelike(app, { channels: 4, users: 4, logs: 40, upstreamUrl: 'http://127.0.0.1:9' }),
    // What fills the database opens it, too.
    isWithin: false,
  },
  (room) => {
    const seat = room.sit({ account: rootAccount })

    it('a list has all of its columns, and nothing that is only pressed', async () => {
      const { page } = seat
      await page.setViewportSize(paper)
      await page.goto('/log?type=2')
      const table = page.locator('.table-scroll')
      await table.getByRole('row').nth(5).waitFor()
      await page.emulateMedia({ media: 'print' })
      for (const part of ['.top-bar', '.sidebar', '.toolbar', '.pager-pages', '.page-actions'])
        expect(await page.locator(part).first().isVisible(), part).toBe(false)
      expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(paper.width)
      const last = await table.getByRole('columnheader').last().boundingBox()
      expect((last?.x ?? paper.width) + (last?.width ?? 0)).toBeLessThanOrEqual(paper.width)
      await page.emulateMedia({ media: 'screen' })
    })

    it('a receipt stands alone and whole, in ink for white paper', async () => {
      const { page } = seat
      await page.evaluate(`localStorage.setItem('theme-mode', 'dark')`)
      await page.setViewportSize({ ...paper, height: 400 })
      await page.goto('/log?type=2')
      await page
        .locator('tbody tr')
        .first()
        .locator('[tabindex="0"], button')
        .first()
        .press('Enter')
      const receipt = page.getByRole('dialog')
      await receipt.getByText('Request ID').waitFor()
      const onScreen = await lightness(page)
      await page.emulateMedia({ media: 'print' })
      await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
      expect(await page.locator('#root').isVisible()).toBe(false)
      expect(await page.locator('.drawer-footer').isVisible()).toBe(false)
      const body = page.locator('.drawer-body')
      expect(await body.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0)
      expect((await body.boundingBox())?.height).toBeGreaterThan(400)
      expect(await lightness(page)).toBeLessThan(0.3)
      await page.emulateMedia({ media: 'screen' })
      await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
      expect(await lightness(page)).toBe(onScreen)
    })

    it('a chart has ink for white paper at its axes', async () => {
      const { page } = seat
      const hour = { model_name: 'm', created_at: Math.floor(Date.now() / 1000), quota: 500_000 }
      const data = [{ id: 0, user_id: 0, username: '', token_used: 9, count: 1, ...hour }]
      await page.route('**/api/data/?*', (route) =>
        route.fulfill({ json: { success: true, data } }),
      )
      await page.goto('/detail')
      await page.locator('.chart canvas').first().waitFor()
      await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
      expect(await pixelsInQuietInk(page)).toBeGreaterThan(0)
      await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
    })
  },
)

/** Of the ink in a drawer: 0 is black, 1 is white. */
async function lightness(page: Page): Promise<number> {
  const colour = await page.evaluate<string>(
    `getComputedStyle(document.querySelector('.drawer-body')).color`,
  )
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number)
  return (red + green + blue) / 765
}

/** How much of the chart has the ink of labels that the page has now. */
function pixelsInQuietInk(page: Page): Promise<number> {
  return page.evaluate<number>(`(() => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = 'var(--ink-quiet)'
    const wanted = getComputedStyle(probe).color.match(/[0-9.]+/g).slice(0, 3).map(Number)
    probe.remove()
    const canvas = document.querySelector('.chart canvas')
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    let count = 0
    for (let at = 0; at < data.length; at += 4)
      if (wanted.every((part, offset) => Math.abs(part - data[at + offset]) < 12)) count += 1
    return count
  })()`)
}
