import { expect, it } from 'vitest'
import { quietLog } from '../../../test/harness/quiet-log.ts'
import { LeaseBook } from './lease-book.ts'
import type { Growth, LeaseStore } from './lease-store-sql.ts'

const never = () => Promise.withResolvers<never>().promise

/** With units that nobody holds, and a database that never answers unless told otherwise. */
function leaseOf(free: number, grow: LeaseStore['grow'] = never) {
  const store: Pick<LeaseStore, 'grow' | 'shrinkAll'> = { grow, shrinkAll: never }
  const on = {
    usedUp: () => undefined,
    failed: () => undefined,
    wordsOf: (units: number) => ({ en: `${units}`, zh: `${units}` }),
  }
  const book = new LeaseBook(store as LeaseStore, quietLog, on)
  const lease = Object.assign(book.of('user', 1), { free })
  return { book, lease }
}

it('follows a recall once, and keeps what was leased after it', () => {
  const { book, lease } = leaseOf(100)
  expect(book.recall('user', 1, 1)).toBe(true)
  expect(lease).toMatchObject({ free: 0, owed: 100 })
  lease.free = 50
  expect(book.recall('user', 1, 1)).toBe(false)
  expect(lease.free).toBe(50)
  expect(book.recall('user', 1, 2)).toBe(true)
  expect(lease).toMatchObject({ free: 0, owed: 150 })
})

it('lets no small call pass a large one that waits for units', () => {
  const { book, lease } = leaseOf(100)
  expect(book.take(lease, 60)).toBe(true)
  void book.takeMore(lease, 50)
  expect(book.take(lease, 1)).toBe(false)
  expect(lease).toMatchObject({ free: 40, held: 60 })
})

it('pays for nothing from a lease that another node has returned', async () => {
  const { book, lease } = leaseOf(100)
  book.forfeit()
  expect(book.take(lease, 1)).toBe(false)
  await expect(book.takeMore(lease, 1)).rejects.toThrow('was lost')
})

it('has a doubt of what was being leased when the node was taken for dead', async () => {
  const { promise: asked, resolve: ask } = Promise.withResolvers<readonly Growth[]>()
  const { book, lease } = leaseOf(0, (growths) => {
    ask(growths)
    return never()
  })
  const waiting = expect(book.takeMore(lease, 10)).rejects.toThrow('was lost')
  for (const growth of await asked) growth.decide(100, 100, 0)
  book.forfeit()
  await waiting
  expect(book.of('user', 1).isUncertain).toBe(true)
  expect(book.of('token', 1).isUncertain).toBe(false)
})

it('refuses whoever waits where the database fails before it is asked for the balance', async () => {
  const locked = new Error('the row was locked for too long')
  const { book, lease } = leaseOf(0, () => Promise.reject(locked))
  const waiting = [book.takeMore(lease, 1), book.takeMore(lease, 2)]
  const outcomes = await Promise.allSettled(waiting)
  expect(outcomes).toEqual(waiting.map(() => ({ status: 'rejected', reason: locked })))
})
