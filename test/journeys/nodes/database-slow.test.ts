// PostgreSQL answers, but takes its time to write: nobody reads the end of an answer before it is charged, and what waits is bounded.
import { beforeAll, describe, expect, it } from 'vitest'
import { addCustomer, balanceOf, consumptionRows, type Customer } from '#test'
import { expectSoundBooks } from '../../harness/books.ts'
import { callShop, perCall } from '../../harness/call-shop.ts'
import { createPostgres, hasPostgres, type TestDatabase } from '../../harness/databases.ts'

const balance = 1_000_000
const lockedAtMostMs = 20_000

describe.runIf(hasPostgres)('a gateway whose database writes slowly', () => {
  let test: TestDatabase
  let ada: Customer
  const shop = callShop({
    isWithin: true,
    env: async () => {
      test = await createPostgres()
      return { DATABASE_URL: test.settings.url ?? '' }
    },
    finish: () => test.close(),
  })
  const call = () => shop.call(ada)

  beforeAll(async () => {
    ada = await addCustomer(shop.app.root, 'ada', balance)
    expect((await call()).status).toBe(200)
  })

  /** No charge can be written until the work is done. */
  function whileLocked<T>(work: () => Promise<T>): Promise<T> {
    return test.database.transaction(async (transaction) => {
      await test.database.run('LOCK TABLE ledger_entries IN EXCLUSIVE MODE', {}, transaction)
      return work()
    }, lockedAtMostMs)
  }

  it('holds back what is under way, refuses more after five seconds, and charges each call once', async () => {
    const ended: number[] = []
    const { underWay, refused } = await whileLocked(async () => {
      const underWay = call().finally(() => ended.push(performance.now()))
      await expect.poll(() => shop.upstream.callCount).toBe(2)
      // Let in until the wait is too long; each of these waits, too.
      const waiting: ReturnType<typeof call>[] = []
      const statuses: number[] = []
      const another = () => {
        const next = call()
        waiting.push(next)
        void next.then(({ status }) => statuses.push(status))
        return statuses
      }
      const refused = await expect
        .poll(another, { timeout: 9_000, interval: 400 })
        .toContain(503)
        .then(() => waiting)
      expect(ended).toEqual([])
      return { underWay, refused }
    })
    const answers = await Promise.all([underWay, ...refused])
    const statuses = answers.map(({ status }) => status)
    const served = statuses.filter((status) => status === 200).length
    expect(statuses[0]).toBe(200)
    for (const { status, body } of answers)
      if (status !== 200) expect(body).toContain('"database_slow"')
    expect(await consumptionRows(shop.app.root, 'ada')).toHaveLength(1 + served)
    expect(await balanceOf(ada)).toBe(balance - perCall.units * (1 + served))
    expect((await call()).status).toBe(200)
    await expectSoundBooks(shop.app)
  })
})
