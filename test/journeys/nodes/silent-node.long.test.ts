// A node that falls silent in the middle of a transaction: stopped by a signal here, gone with its machine elsewhere.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addCustomer, type App, balanceOf } from '#test'
import { Client } from 'pg'
import { perCall } from '../../harness/call-shop.ts'
import { hasPostgres } from '../../harness/databases.ts'
import { chat } from '../../harness/relay-call.ts'
import { type NodePair, startPair } from './node-pair.ts'

const rich = 1_000_000
const soon = { timeout: 5_000, interval: 20 }

describe.runIf(hasPostgres)('a node that falls silent while it holds a balance locked', () => {
  let nodes: NodePair
  let here: App
  let there: App
  let outside: Client

  beforeAll(async () => {
    nodes = await startPair({ isHereWithin: false })
    ;({ here, there } = nodes)
    outside = new Client({ connectionString: nodes.test.settings.url })
    await outside.connect()
  })

  afterAll(async () => {
    await outside.end()
    await nodes.close()
  })

  /** Asked outside of the transaction below: within one, PostgreSQL says the same each time. */
  const leasing = async () =>
    (
      await nodes.test.database.select<{ state: string }>(
        `SELECT state FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
           AND application_name = 'tollgate leases' AND query LIKE '%INSERT INTO leases%' AND state <> 'idle'`,
      )
    ).map(({ state }) => state)

  it('keeps the others from it for ten seconds at the most', async () => {
    const customer = await addCustomer(here.root, 'common', rich)
    const call = (url: string) => chat({ url, key: customer.key, model: perCall.model })
    // It waits for the table with the customer's row locked; stopped there, it never ends the transaction.
    await outside.query('BEGIN')
    await outside.query('LOCK TABLE leases IN SHARE MODE')
    const silenced = call(there.url)
    await vi.waitFor(async () => expect(await leasing()).toEqual(['active']), soon)
    process.kill(there.process.pid, 'SIGSTOP')
    await outside.query('COMMIT')
    await vi.waitFor(async () => expect(await leasing()).toEqual(['idle in transaction']), soon)
    await vi.waitFor(async () => expect((await call(here.url)).status).toBe(200), {
      timeout: 20_000,
      interval: 100,
    })
    process.kill(there.process.pid, 'SIGCONT')
    expect([200, 503]).toContain((await silenced).status)
    await vi.waitFor(async () => expect((await call(there.url)).status).toBe(200), soon)
    const charged = (rich - (await balanceOf(customer))) / perCall.units
    const rows = await nodes.test.database.select<{ count: number }>(
      'SELECT COUNT(*) AS count FROM logs WHERE type = 2',
    )
    expect(rows).toEqual([{ count: charged }])
  }, 60_000)
})
