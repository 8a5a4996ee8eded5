// What a phone asks of the screens: room for a finger, and amounts in one piece.
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { addChannel, addCustomer } from '#test'
import { describeConsole } from '../../harness/console-room.ts'
import { visit } from '../../harness/screens.ts'
import { customerPassword } from '../../harness/shop.ts'

const inPage = fileURLToPath(new URL('../../harness/in-page.js', import.meta.url))

/** $1,234,567.891234: as many digits as an amount is shown with. */
const LARGE = 617_283_945_617

const setup = {
  prepare: async ({ root }: { root: Parameters<typeof addCustomer>[0] }) => {
    await addChannel(root, { models: 'gpt-4o', base_url: 'http://127.0.0.1:9' })
    await addCustomer(root, 'ada', LARGE)
  },
}

describeConsole('the console on a phone', setup, (room) => {
  const account = { username: 'ada', password: customerPassword }
  const seat = room.sit({ isOnPhone: true, account })
  beforeAll(() => seat.page.addInitScript({ path: inPage }))

  it.each(['/personal', '/topup', '/overview'])(
    'keeps a large balance in one line at %s',
    async (address) => {
      await visit(seat.page, address)
      const amount = seat.page.getByText('$1,234,567.891234').first()
      expect(
        await amount.evaluate((figure) => {
          const card = figure.closest('.card, dl > div')?.getBoundingClientRect()
          return {
            lines: figure.getClientRects().length,
            isInside: figure.getBoundingClientRect().right <= (card?.right ?? 0),
          }
        }),
      ).toEqual({ lines: 1, isInside: true })
    },
  )

  describe('under a finger', () => {
    beforeAll(async () => {
      const session = await seat.page.context().newCDPSession(seat.page)
      await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
    })

    it.each(['/token', '/topup', '/personal', '/playground', '/overview', '/detail', '/pricing'])(
      'has buttons of 40 px at %s',
      async (address) => {
        await visit(seat.page, address)
        expect(await seat.page.evaluate('matchMedia("(pointer: coarse)").matches')).toBe(true)
        expect(await seat.page.evaluate(smallButtons)).toEqual([])
        expect(
          await seat.page.evaluate('document.documentElement.scrollWidth'),
        ).toBeLessThanOrEqual(390)
      },
    )
  })
})

/** The names of the buttons that a finger misses 19 px beside their middle. */
const smallButtons = `[...document.querySelectorAll('button:enabled, [role=combobox]')].flatMap((button) => {
  button.scrollIntoView({ block: 'center' })
  const { left, top, width, height } = button.getBoundingClientRect()
  if (width === 0) return []
  const isHit = (right, down) => {
    const hit = document.elementFromPoint(left + width / 2 + right, top + height / 2 + down)
    return hit !== null && button.contains(hit)
  }
  const isLarge = isHit(0, -19) && isHit(0, 19) && isHit(-19, 0) && isHit(19, 0)
  return isLarge ? [] : [(button.getAttribute('aria-label') ?? button.textContent) + ' ' + width + ' × ' + height]
})`
