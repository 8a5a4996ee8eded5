// Proof that the bounds do what they are for takes longer: test/journeys/nodes/silent-node.long.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from 'pg'
import { createPostgres, databaseKinds, type TestDatabase } from '../../test/harness/databases.ts'
import { openDatabase } from './database.ts'

const bound = `current_setting('idle_in_transaction_session_timeout')`

describe.runIf(databaseKinds.some(({ name }) => name === 'PostgreSQL'))(
  'a connection to PostgreSQL',
  () => {
    let test: TestDatabase

    beforeAll(async () => {
      test = await createPostgres()
    })

    afterAll(() => test.close())

    it('may hold locks in silence for ten seconds, in the pool and in the ledger', async () => {
      const { database } = test
      expect(await database.select(`SELECT ${bound} AS bound`)).toEqual([{ bound: '10s' }])
      await database.batch([
        { sql: `INSERT INTO options ("key", value) VALUES ('of the ledger', ${bound})` },
      ])
      const sql = `SELECT value FROM options WHERE "key" = 'of the ledger'`
      expect(await database.select(sql)).toEqual([{ value: '10s' }])
    })

    it('has room to look for several values at once', async () => {
      const sql = `SELECT current_setting('work_mem') AS room`
      expect(await test.database.select(sql)).toEqual([{ room: '32MB' }])
    })

    it('keeps what a database is set to that is stricter, or otherwise', async () => {
      const client = new Client({ connectionString: test.settings.url })
      await client.connect()
      const name = new URL(test.settings.url ?? '').pathname.slice(1)
      await client.query(`ALTER DATABASE ${name} SET idle_in_transaction_session_timeout = '3s'`)
      await client.query(`ALTER DATABASE ${name} SET work_mem = '6MB'`)
      await client.end()
      const strict = await openDatabase(test.settings)
      expect(
        await strict.select(`SELECT ${bound} AS bound, current_setting('work_mem') AS room`),
      ).toEqual([{ bound: '3s', room: '6MB' }])
      await strict.close()
    })
  },
)
