import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPostgres, hasPostgres } from '../../../test/harness/databases.ts'
import type { TestDatabase } from '../../../test/harness/sqlite.ts'
import type { BatchError } from '../database.ts'

describe.runIf(hasPostgres)('a PostgreSQL that only reads for a while', () => {
  let made: TestDatabase
  beforeEach(async () => {
    made = await createPostgres()
  })
  afterEach(() => made.close())

  /** Of connections that begin after it: as after a failover, those before it stay as they are. */
  const onlyReads = (word: 'on' | 'off') =>
    made.database.run(
      `DO $$ BEGIN SET TRANSACTION READ WRITE; EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = ${word}', current_database()); END $$`,
    )
  const insert = `INSERT INTO options (key, value) VALUES ('a', 'b')`

  it('loses its connections, so that the next statement finds the one that writes', async () => {
    const { database } = made
    await database.run('SET default_transaction_read_only = on')
    await expect(database.run(insert)).rejects.toMatchObject({ code: 'server.database_away' })
    expect(await database.run(insert)).toBe(1)
  })

  it('is no reason to give up a batch, which is written by the next connection', async () => {
    const { database } = made
    await onlyReads('on')
    const batch = () => database.batch([{ sql: insert }])
    const refused = (await batch().catch((error: unknown) => error)) as BatchError
    expect(refused).toMatchObject({ isTransient: true, isUnknown: false, code: '25006' })
    await onlyReads('off')
    await batch()
    expect(await database.select('SELECT value FROM options')).toEqual([{ value: 'b' }])
  })
})
