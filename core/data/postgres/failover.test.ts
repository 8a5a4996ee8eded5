// What a connection must know after another server has taken the place of the first. The whole story, with a real standby:
// test/journeys/nodes/failover.long.test.ts.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPostgres, hasPostgres } from '../../../test/harness/databases.ts'
import type { TestDatabase } from '../../../test/harness/sqlite.ts'

describe.runIf(hasPostgres)('a PostgreSQL that takes the place of another', () => {
  let made: TestDatabase
  beforeEach(async () => {
    made = await createPostgres()
  })
  afterEach(() => made.close())

  const insert = (key: string) => ({
    sql: `INSERT INTO options ("key", value) VALUES (:key, 'x')`,
    values: { key },
  })

  /** Lets a function of the server be another, for connections that begin after it. */
  async function replace(signature: string, body: string): Promise<void> {
    const { database } = made
    const place = new URL(made.settings.url ?? '').pathname.slice(1)
    await database.run(
      `CREATE FUNCTION public.${signature} LANGUAGE plpgsql AS $$ BEGIN ${body}; END $$`,
    )
    await database.run(`ALTER DATABASE ${place} SET search_path = public, pg_catalog`)
  }

  const cutLedger = () =>
    made.database.select(`SELECT pg_catalog.pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'tollgate ledger' AND datname = current_database()`)

  it('is not asked to end a process that has the number of an older connection', async () => {
    const { database } = made
    await database.batch([insert('before')])
    await replace(
      'pg_terminate_backend(pid int) RETURNS boolean',
      `RAISE 'must be a superuser to terminate superuser process'`,
    )
    await cutLedger()
    await expect
      .poll(() => database.batch([insert('after')]).then(() => 'written', String))
      .toBe('written')
  })
})
