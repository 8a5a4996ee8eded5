// What a killed process knew of budgets: all that it had written, and no more is lost than what it counted within the last half second.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  type Customer,
  fakeUpstream,
  type FakeUpstream,
  setPrice,
  startApp,
} from '#test'
import { chat } from '../../harness/relay-call.ts'

const model = 'budget-model'
/** Of one call. */
const COST = 200

let app: App
let upstream: FakeUpstream
let customer: Customer

beforeAll(async () => {
  upstream = await fakeUpstream({ promptTokens: 100, completionTokens: 100 })
  app = await startApp({ plugins: ['budgets'] })
  await setPrice(app.root, model, 1)
  await addChannel(app.root, { base_url: upstream.url, models: model })
  customer = await addCustomer(app.root, 'thrifty', 1_000_000_000)
  await app.root.post('/api/budgets/', {
    name: 'All of a month',
    period: 'month',
    limit: 5 * COST,
    count: 'all',
    user_id: 0,
    token_id: 0,
    group: '',
    model: '',
    enabled: true,
  })
})
afterAll(async () => {
  await app.close()
  await upstream.close()
})

const ask = async () => (await chat({ url: app.url, key: customer.key, model })).status
const used = async () => {
  const { items } = await app.root.get<{ items: { used: number }[] }>(
    '/api/budgets/?p=1&page_size=10',
  )
  return items[0]?.used
}

/** As it lies in the file, whoever writes it. */
function written(): number {
  const database = new DatabaseSync(join(app.dataDir, 'tollgate.db'), { readOnly: true })
  try {
    const row = database.prepare('SELECT SUM(units) AS units FROM budgets__spent').get()
    return Number(row?.['units'] ?? 0)
  } finally {
    database.close()
  }
}

it('counts on from what was written when its process is killed', async () => {
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([200, 200, 200])
  await expect.poll(written, { timeout: 2_000 }).toBe(3 * COST)
  await app.restart('kill')
  expect(await used()).toBe(3 * COST)
})

it('is no less strict for a kill at once than by what came last, and refuses in the end', async () => {
  expect(await ask()).toBe(200)
  await app.restart('kill')
  const known = (await used()) ?? Number.NaN
  expect([3 * COST, 4 * COST]).toContain(known)
  for (let left = 5 * COST - known; left > 0; left -= COST) expect(await ask()).toBe(200)
  expect(await ask()).not.toBe(200)
})

it('loses nothing when its process is stopped', async () => {
  const before = await used()
  await app.restart('stop')
  expect(await used()).toBe(before)
  expect(await ask()).not.toBe(200)
})
