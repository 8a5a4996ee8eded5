// SQLite's disk is full, and the process is killed before there is room again: at random moments of a load.
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { addCustomer } from '#test'
import { expectChargedOnce, expectSoundBooks } from '../../harness/books.ts'
import { callShop, perCall } from '../../harness/call-shop.ts'
import { canFillDisk, fillDisk } from '../../harness/faults/full-disk.ts'

const { units } = perCall
const balance = 100_000_000
const rounds = 6
/** Shorter than answers wait for their charges: what a client sees to its end has been committed. */
const longestFullMs = 6_000

describe.runIf(canFillDisk)('a gateway that is killed while its disk is full', () => {
  const shop = callShop({ upstream: { delayMs: 5 } })

  it('has charged what clients saw to its end, once, and nothing else', async () => {
    const customer = await addCustomer(shop.app.root, 'ada', balance)
    for (let round = 0; round < rounds; round += 1) {
      const load = shop.load(customer, 6)
      const before = shop.upstream.callCount
      await vi.waitFor(() => expect(shop.upstream.callCount).toBeGreaterThan(before + 20), 10_000)
      fillDisk(shop.app)
      await wait((longestFullMs * round) / rounds)
      const killed = shop.app.restart('kill')
      const answers = await load.stop()
      await killed
      customer.client = customer.client.at(shop.app.url)
      await expectChargedOnce(shop.app, customer, answers, { units, balance })
      await expectSoundBooks(shop.app)
    }
  }, 180_000)
})
