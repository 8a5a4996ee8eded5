// PostgreSQL answers, but takes its time to write: nobody reads the end of an answer before it is charged, and what waits is bounded.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  balanceOf,
  consumptionRows,
  type Customer,
  fakeUpstream,
  type FakeUpstream,
  startApp,
} from '#test'
import { createPostgres, databaseKinds, type TestDatabase } from '../../harness/databases.ts'
import { chat } from '../../harness/relay-call.ts'

const hasPostgres = databaseKinds.some(({ name }) => name === 'PostgreSQL')
const balance = 1_000_000

describe.runIf(hasPostgres)('a gateway whose database writes slowly', () => {
  let test: TestDatabase
  let upstream: FakeUpstream
  let app: App
  let ada: Customer

  beforeAll(async () => {
    test = await createPostgres()
    upstream = await fakeUpstream()
    app = await startApp({ env: { DATABASE_URL: test.settings.url ?? '' } })
    const prices = { key: 'ModelPrice', value: JSON.stringify({ 'per-call': 0.002 }) }
    await app.root.put('/api/option/', prices)
    await addChannel(app.root, { base_url: upstream.url, models: 'per-call' })
    ada = await addCustomer(app.root, 'ada', balance)
    expect((await call()).status).toBe(200)
  })

  afterAll(async () => {
    await app.close()
    await upstream.close()
    await test.close()
  })

  const call = () => chat({ url: app.url, key: ada.key, model: 'per-call' })

  /** No charge can be written until the work is done. */
  function whileLocked<T>(work: () => Promise<T>): Promise<T> {
    return test.database.transaction(async (transaction) => {
      await test.database.run('LOCK TABLE ledger_entries IN EXCLUSIVE MODE', {}, transaction)
      return work()
    })
  }

  it('holds back what is under way, refuses more after five seconds, and charges each call once', async () => {
    const ended: number[] = []
    const { underWay, refused } = await whileLocked(async () => {
      const underWay = call().finally(() => ended.push(performance.now()))
      await expect.poll(() => upstream.callCount).toBe(2)
      // Let in until the wait is too long; each of these waits, too.
      const waiting: ReturnType<typeof call>[] = []
      const refused = await expect
        .poll(
          async () => {
            const next = call()
            waiting.push(next)
            const first = await Promise.race([next, new Promise((go) => setTimeout(go, 300))])
            return (first as { status?: number } | undefined)?.status
          },
          { timeout: 9_000, interval: 200 },
        )
        .toBe(503)
        .then(() => waiting)
      expect(ended).toEqual([])
      return { underWay, refused }
    })
    const statuses = (await Promise.all([underWay, ...refused])).map(({ status }) => status)
    const served = statuses.filter((status) => status === 200).length
    expect(statuses[0]).toBe(200)
    expect(statuses.at(-1)).toBe(503)
    expect(await consumptionRows(app.root, 'ada')).toHaveLength(1 + served)
    expect(await balanceOf(ada)).toBe(balance - 1_000 * (1 + served))
    expect((await call()).status).toBe(200)
    const { code, output } = await app.command('ledger', 'verify')
    expect({ code, output }).toMatchObject({ code: 0 })
  })
})
