// A gateway and its calls beside such a server: test/journeys/nodes/database-silent.long.test.ts.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  createPostgres,
  databaseKinds,
  type TestDatabase,
} from '../../../test/harness/databases.ts'
import { gateTo } from '../../../test/harness/faults/tcp-gate.ts'
import { type Database, openDatabase } from '../database.ts'
import { isAway } from '../database-errors.ts'

const lookMs = 200
/** Longer than it takes to be sure of a silence: some looks and a question. */
const longWork = 'SELECT pg_sleep(1.5)'

describe.runIf(databaseKinds.some(({ name }) => name === 'PostgreSQL'))(
  'a PostgreSQL that goes silent',
  () => {
    let test: TestDatabase
    let gate: Awaited<ReturnType<typeof gateTo>>
    let database: Database

    beforeAll(async () => {
      test = await createPostgres()
      gate = await gateTo(test.settings.url ?? '')
      database = await open()
    })

    afterEach(() => gate.open())

    afterAll(async () => {
      await database.close()
      await gate.close()
      await test.close()
    })

    const open = () => openDatabase({ ...test.settings, url: gate.url, silenceLookMs: lookMs })
    const serves = () => expect.poll(() => database.ping().then(() => true, String)).toBe(true)
    const count = async (key: string) => {
      const sql = 'SELECT COUNT(*) AS count FROM options WHERE "key" = :key'
      return (await test.database.select<{ count: number }>(sql, { key }))[0]?.count
    }
    const insert = (key: string) => ({
      sql: `INSERT INTO options ("key", value) VALUES (:key, '')`,
      values: { key },
    })
    const failure = (work: Promise<unknown>) =>
      work.then(
        () => 'answered',
        (error: unknown) => error,
      )

    it('is told from one that works: what is long by right goes on', async () => {
      await Promise.all([
        database.select(longWork),
        database.transaction((transaction) => database.select(longWork, undefined, transaction)),
        database.batch([{ sql: longWork }]),
      ])
      await database.run('CREATE INDEX CONCURRENTLY of_the_test ON options (value)')
    })

    it('ends each question that waits, then refuses new ones at once, and is asked again by itself', async () => {
      await serves()
      await database.brief(({ select }) => select('SELECT 1'))
      gate.hold()
      const waiting = [
        failure(database.ping()),
        failure(database.transaction(() => Promise.resolve())),
        failure(database.brief(({ select }) => select('SELECT 1'))),
        failure(database.batch([insert('never')])),
      ]
      for (const error of await Promise.all(waiting)) expect(isAway(error)).toBe(true)
      await expect.poll(() => database.ping().catch(isAway)).toBe(true)
      const refused = failure(database.transaction(() => Promise.resolve()))
      // At once: before anything could come from anywhere.
      expect(await Promise.race([refused, nextTurn('waits')])).toMatchObject({
        status: 503,
        headers: { 'retry-after': '5' },
      })
      gate.open()
      await serves()
      await database.batch([insert('later')])
      expect(await count('later')).toBe(1)
    })

    it('says of a batch whose answer never came that it may have happened', async () => {
      await database.batch([])
      gate.hold('answers')
      const error = await failure(
        database.batch([], {
          sql: `INSERT INTO options ("key", value) VALUES ($1, '')`,
          values: ['unheard'],
        }),
      )
      expect(error).toMatchObject({ isTransient: true, isUnknown: true })
      expect(await count('unheard')).toBe(1)
    })

    it('may be silent on one connection alone, which is then cut', async () => {
      await serves()
      await database.batch([])
      gate.forget()
      expect(isAway(await failure(database.batch([insert('forgotten')])))).toBe(true)
      await serves()
      await database.batch([insert('on a new one')])
      expect(await count('on a new one')).toBe(1)
    })

    it('keeps nobody from leaving', async () => {
      const other = await open()
      await other.batch([])
      gate.hold()
      await other.close()
    })
  },
)
