// What a phone asks of the screens: amounts in one piece.
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { addCustomer } from '#test'
import { describeConsole } from '../../harness/console-room.ts'
import { visit } from '../../harness/screens.ts'
import { customerPassword } from '../../harness/shop.ts'

const inPage = fileURLToPath(new URL('../../harness/in-page.js', import.meta.url))

/** $1,234,567.891234: as many digits as an amount is shown with. */
const LARGE = 617_283_945_617

const setup = {
  prepare: ({ root }: { root: Parameters<typeof addCustomer>[0] }) =>
    addCustomer(root, 'ada', LARGE),
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
})
