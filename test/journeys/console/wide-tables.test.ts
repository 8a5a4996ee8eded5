// A table that is wider than the window shows that there is more, at the side where it is.
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { rootAccount } from '#test'
import { describeConsole } from '../../harness/console-room.ts'

describeConsole(
  'a table wider than the window',
  { prepare: ({ root }) => root.post('/api/token/', { name: 'laptop', unlimited_quota: true }) },
  (room) => {
    const seat = room.sit({ account: rootAccount })

    beforeAll(async () => {
      await seat.page.setViewportSize({ width: 720, height: 900 })
      await seat.page.goto('/token')
      await seat.page.getByRole('table', { name: 'Tokens' }).waitFor()
    })

    it('is shaded before the actions, which stay in sight', async () => {
      await expect.poll(() => shades(seat.page)).toEqual({ left: '0', right: '0', actions: '1' })
    })

    it('is shaded at the left once it is scrolled to its end', async () => {
      await seat.page
        .getByRole('region', { name: 'Tokens' })
        .evaluate((region) => region.scrollTo({ left: region.scrollWidth }))
      await expect.poll(() => shades(seat.page)).toEqual({ left: '1', right: '0', actions: '0' })
    })

    it('is not shaded where it has room', async () => {
      await seat.page.setViewportSize({ width: 1600, height: 900 })
      await expect.poll(() => shades(seat.page)).toEqual({ left: '0', right: '0', actions: '0' })
    })

    it('is shaded at the right where no actions stay in sight', async () => {
      await seat.page.setViewportSize({ width: 720, height: 900 })
      await seat.page.goto('/live')
      await seat.page.locator('.table-sides').waitFor()
      await expect.poll(() => shades(seat.page)).toEqual({ left: '0', right: '1' })
    })

    it('keeps the names of plugins within two lines', async () => {
      const { page } = seat
      await page.goto('/plugin')
      await page.getByText('Sign-in with any OpenID Connect provider').waitFor()
      const rows = page.locator('tbody tr')
      const heights = await rows.evaluateAll((all) => all.map((row) => row.clientHeight))
      expect(Math.max(...heights)).toBeLessThan(80)
    })
  },
)

/** How visible the shades are at the sides of the table, and beside its actions. */
function shades(page: Page): Promise<object> {
  return page.evaluate(`(() => {
    const sides = document.querySelector('.table-sides')
    const actions = sides.querySelector('tbody .cell-actions')
    const opacity = (element, part) => getComputedStyle(element, part).opacity
    return {
      left: opacity(sides, '::before'),
      right: opacity(sides, '::after'),
      ...(actions ? { actions: opacity(actions, '::before') } : {}),
    }
  })()`)
}
