// Proof that the bounds do what they are for takes longer: test/journeys/nodes/silent-node.long.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from 'pg'
import {
  createPostgres,
  databaseKinds,
  type TestDatabase,
} from '../../../test/harness/databases.ts'
import { openDatabase } from '../database.ts'

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

    it('waits ten seconds for a row where the calls of others wait behind it', async () => {
      const limit = `SELECT current_setting('lock_timeout') AS "limit"`
      expect(await test.database.brief(({ select }) => select(limit))).toEqual([{ limit: '10s' }])
      expect(await test.database.select(limit)).toEqual([{ limit: '0' }])
    })

    it('has room to look for several values at once', async () => {
      const sql = `SELECT current_setting('work_mem') AS room`
      expect(await test.database.select(sql)).toEqual([{ room: '32MB' }])
    })

    it('has each commit on disk, also where the server need not wait for that', async () => {
      const name = new URL(test.settings.url ?? '').pathname.slice(1)
      const wait = `SELECT current_setting('synchronous_commit') AS wait`
      const seen: unknown[] = []
      for (const set of ['off', 'remote_apply']) {
        await test.database.run(`ALTER DATABASE ${name} SET synchronous_commit = ${set}`)
        const database = await openDatabase(test.settings)
        seen.push(...(await database.select(wait)))
        seen.push(...(await database.brief<unknown[]>(({ select }) => select(wait))))
        const sql = `UPDATE options SET value = current_setting('synchronous_commit') WHERE "key" = 'wait'`
        await database.run(
          `INSERT INTO options ("key", value) VALUES ('wait', '') ON CONFLICT DO NOTHING`,
        )
        await database.batch([{ sql }])
        seen.push(
          ...(await database.select(`SELECT value AS wait FROM options WHERE "key" = 'wait'`)),
        )
        await database.close()
      }
      await test.database.run(`ALTER DATABASE ${name} RESET synchronous_commit`)
      const [on, applied] = [{ wait: 'on' }, { wait: 'remote_apply' }]
      expect(seen).toEqual([on, on, on, applied, applied, applied])
    })

    it('stays, however long it has nothing to do', async () => {
      const name = new URL(test.settings.url ?? '').pathname.slice(1)
      await test.database.run(`ALTER DATABASE ${name} SET idle_session_timeout = '1min'`)
      const database = await openDatabase(test.settings)
      const idle = `SELECT current_setting('idle_session_timeout') AS idle`
      expect(await database.select(idle)).toEqual([{ idle: '0' }])
      expect(await database.brief(({ select }) => select(idle))).toEqual([{ idle: '0' }])
      await database.close()
      await test.database.run(`ALTER DATABASE ${name} RESET idle_session_timeout`)
    })

    it('says so where the database gives up what waits or works for too long', async () => {
      const name = new URL(test.settings.url ?? '').pathname.slice(1)
      await test.database.run(`ALTER DATABASE ${name} SET lock_timeout = '20ms'`)
      await test.database.run(`ALTER DATABASE ${name} SET statement_timeout = '2s'`)
      const strict = await openDatabase(test.settings)
      const slow = { code: 'server.database_slow', status: 503, headers: { 'retry-after': '5' } }
      await test.database.run(`INSERT INTO options ("key", value) VALUES ('locked', '0')`)
      const add = `UPDATE options SET value = '1' WHERE "key" = 'locked'`
      const holder = new Client({ connectionString: test.settings.url })
      await holder.connect()
      await holder.query('BEGIN')
      await holder.query(add)
      await expect(strict.run(add)).rejects.toMatchObject(slow)
      await expect(strict.brief(({ run }) => run(add))).rejects.toMatchObject(slow)
      await holder.end()
      await expect(strict.select('SELECT pg_sleep(60)')).rejects.toMatchObject(slow)
      await strict.close()
      await test.database.run(`ALTER DATABASE ${name} RESET lock_timeout`)
      await test.database.run(`ALTER DATABASE ${name} RESET statement_timeout`)
    })

    it('waits for a lock and goes on, whatever isolation the database is set to', async () => {
      const name = new URL(test.settings.url ?? '').pathname.slice(1)
      const set = `ALTER DATABASE ${name} SET default_transaction_isolation`
      await test.database.run(`${set} = 'serializable'`)
      const database = await openDatabase(test.settings)
      await database.run(`INSERT INTO options ("key", value) VALUES ('count', '0')`)
      const add = `UPDATE options SET value = value::int + 1 WHERE "key" = 'count'`
      const ways = [
        () => database.transaction((transaction) => database.run(add, {}, transaction)),
        () => database.brief(({ run }) => run(add)),
      ]
      const side = Array.from({ length: 5 }, () => ways.map((way) => way())).flat()
      await Promise.all([...side, database.batch([{ sql: add }])])
      const sql = `SELECT value FROM options WHERE "key" = 'count'`
      expect(await database.select(sql)).toEqual([{ value: '11' }])
      await database.close()
      await test.database.run(`${set} = 'read committed'`)
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
