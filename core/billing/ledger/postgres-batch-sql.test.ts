import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { databaseKinds, type TestDatabase } from '../../../test/harness/databases.ts'
import type { BatchContent, Spent } from './ledger-batch.ts'
import { postgresBatchCall, postgresBatchSession } from './postgres-batch-sql.ts'

const customers = 3_000
const postgres = databaseKinds.filter(({ name }) => name === 'PostgreSQL')

const fill = [
  `INSERT INTO nodes (id, started_at, heartbeat_at) VALUES ('node', 1, 1)`,
  `INSERT INTO users (username, display_name, quota, leased, created_at)
  SELECT 'user' || n, '', 1000, 100, 1 FROM generate_series(1, ${customers}) AS n`,
  `INSERT INTO tokens (user_id, "key", key_hash, name, created_time, accessed_time, unlimited_quota)
  SELECT id, 'key' || id, 'hash' || id, '', 1, 1, TRUE FROM users`,
  `INSERT INTO leases (node_id, kind, subject_id, units) SELECT 'node', 'user', id, 100 FROM users`,
]

/** Of so many customers, each a call for 3 units. */
function contentOf(ids: readonly number[]): BatchContent {
  const spent = ids.map((id): Spent => ({ id, units: 3, part: 3, calls: 1 }))
  const withoutLease = spent.map((row) => ({ ...row, part: 0 }))
  const entries = ids.map((id) => ({
    user_id: id,
    token_id: id,
    ref: `call ${id}`,
    units: 3,
    later: 0,
    created_at: 5,
  }))
  return {
    spentByUser: spent,
    spentByToken: withoutLease,
    spentByChannel: [],
    userLeases: spent,
    tokenLeases: [],
    entries,
    logs: [],
    models: [],
    atSeconds: 5,
  }
}

describe.each(postgres)('a batch of $name', ({ create }) => {
  let test: TestDatabase
  let client: pg.Client

  beforeEach(async () => {
    test = await create()
    client = new pg.Client(test.settings.url)
    await client.connect()
    for (const { sql } of postgresBatchSession) await client.query(sql)
  })
  afterEach(async () => {
    await client.end()
    await test.close()
  })

  async function write(content: BatchContent, sequence: number): Promise<void> {
    const { sql, values } = postgresBatchCall(content, { id: 'node', sequence })
    await client.query(sql, [...values])
  }

  /** The rows that the session has read of its tables since it last told the server, which it does between transactions. */
  async function rowsRead(): Promise<Map<string, number>> {
    const { rows } = await client.query<{ relname: string; read: string }>(
      `SELECT relname, seq_tup_read + idx_tup_fetch AS read FROM pg_stat_xact_user_tables
      WHERE relname IN ('users', 'tokens', 'leases')`,
    )
    return new Map(rows.map(({ relname, read }) => [relname, Number(read)]))
  }

  it.each([
    ['when the tables were empty', ['ANALYZE', ...fill]],
    ['a moment ago', [...fill, 'ANALYZE']],
  ])('reads the rows that it changes, with statistics made %s', async (_, statements) => {
    for (const sql of statements) await client.query(sql)
    // PostgreSQL chooses the plans of a session at the first calls.
    for (let sequence = 1; sequence <= 8; sequence += 1) {
      await write(contentOf([sequence]), sequence)
    }
    await client.query('BEGIN')
    const before = await rowsRead()
    await write(contentOf(Array.from({ length: 40 }, (_unused, place) => 100 + place * 70)), 9)
    const after = await rowsRead()
    await client.query('COMMIT')
    const read = (table: string) => (after.get(table) ?? 0) - (before.get(table) ?? 0)
    // Locked, changed, and asked for the balance; the node has a row or two of its own beside its leases.
    expect([read('users'), read('tokens')]).toEqual([120, 80])
    expect(read('leases')).toBeGreaterThanOrEqual(40)
    expect(read('leases')).toBeLessThan(50)
  })

  it('takes what was spent from balances and leases', async () => {
    for (const sql of fill) await client.query(sql)
    await write(contentOf([7, 2_999]), 1)
    const { rows } = await client.query(
      `SELECT users.id, quota, users.leased, units, tokens.used_quota FROM users
      JOIN leases ON subject_id = users.id AND kind = 'user' JOIN tokens ON user_id = users.id
      WHERE quota <> 1000 ORDER BY users.id`,
    )
    const after = { quota: 997, leased: 97, units: 97, used_quota: 3 }
    expect(rows).toEqual([
      { id: 7, ...after },
      { id: 2999, ...after },
    ])
  })

  it('locks no token while it waits for a balance, since other batches wait the other way round', async () => {
    for (const sql of fill) await client.query(sql)
    const other = new pg.Client(test.settings.url)
    await other.connect()
    await other.query('BEGIN')
    await other.query('SELECT id FROM users WHERE id = 1 FOR UPDATE')
    const { spentByToken } = contentOf([1, 2])
    const written = write({ ...contentOf([1]), spentByToken, entries: [] }, 1)
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await expect.poll(async () => (await other.query(waiting)).rowCount).toBe(1)
    const free = 'SELECT id FROM tokens WHERE id IN (1, 2) FOR UPDATE NOWAIT'
    const locked = await other.query(free).then(
      ({ rowCount }) => rowCount,
      ({ message }: Error) => message,
    )
    await other.query('ROLLBACK')
    await Promise.all([other.end(), written])
    expect(locked).toBe(2)
  })
})
