import { Client } from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  createPostgres,
  driverKinds,
  hasPostgres,
  quietLog,
  type TestDatabase,
} from '../../test/harness/databases.ts'
import { type Database, openDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { MigrationProgress } from './migration-progress.ts'

const step = '0043-forgotten-turns'

/** As it was before the last step. */
async function takeBack(database: Database): Promise<void> {
  await database.run('DROP TABLE forgotten_turns')
  await database.run('DELETE FROM schema_steps WHERE name = :step', { step })
}

function keepingLog() {
  const told: [object, string | undefined][] = []
  return {
    told,
    log: { ...quietLog, info: (fields: object, text?: string) => void told.push([fields, text]) },
  }
}

let test: TestDatabase | undefined
afterEach(async () => {
  await test?.close()
  test = undefined
})

describe.each(driverKinds)('an upgrade on $name', ({ create }) => {
  it('says in the log which step of how many begins', async () => {
    test = await create()
    await takeBack(test.database)
    const { told, log } = keepingLog()
    expect(await migrate(test.database, log)).toEqual([step])
    expect(told).toEqual([
      [{ step, number: 1, of: 1 }, 'a step of the schema begins'],
      [{ steps: [step] }, 'schema updated'],
    ])
  })

  it('is not called done where it could not be committed', async () => {
    test = await create()
    const { database } = test
    await takeBack(database)
    const full: Database = {
      ...database,
      transaction: (work, pauseMs) =>
        database.transaction(async (transaction) => {
          await work(transaction)
          throw new Error('the disk is full')
        }, pauseMs),
    }
    const { told, log } = keepingLog()
    await expect(migrate(full, log)).rejects.toThrow('the disk is full')
    expect(told.map(([, text]) => text)).toEqual(['a step of the schema begins'])
    expect(await migrate(database, quietLog)).toEqual([step])
  })
})

describe.runIf(hasPostgres)('an upgrade on a PostgreSQL that ends long statements', () => {
  it('waits for another process, and takes the time that it needs', async () => {
    test = await createPostgres()
    await takeBack(test.database)
    const other = new Client({ connectionString: test.settings.url })
    await other.connect()
    const { rows } = await other.query<{ name: string }>('SELECT current_database() AS name')
    for (const limit of ['statement_timeout', 'lock_timeout'])
      await other.query(`ALTER DATABASE ${rows[0]?.name} SET ${limit} = 200`)
    const bound = await openDatabase(test.settings)
    await other.query('SELECT pg_advisory_lock(7365001)')
    const held = other.query('SELECT pg_sleep(1), pg_advisory_unlock(7365001)')
    try {
      expect(await migrate(bound, quietLog)).toEqual([step])
    } finally {
      await held
      await Promise.all([bound.close(), other.end()])
    }
  })
})

describe.runIf(hasPostgres)('an upgrade after which earlier versions fail', () => {
  /** As it was before it, but for the rest of the steps. */
  const before = async (database: Database) => {
    await database.run('ALTER TABLE logs RENAME COLUMN use_time_ms TO use_time')
    await database.run(`DELETE FROM schema_steps WHERE name = '0008-log-milliseconds'`)
  }
  /** As a process of any version registers. */
  async function serve(url: string | undefined, id: string) {
    const node = new Client({ connectionString: url })
    await node.connect()
    await node.query('SELECT pg_advisory_lock(hashtextextended($1, 7365))', [id])
    await node.query('INSERT INTO nodes (id, started_at, heartbeat_at) VALUES ($1, 1, 1)', [id])
    return node
  }

  it('begins once none of them serves', async () => {
    test = await createPostgres()
    const { database, settings } = test
    await before(database)
    const one = await serve(settings.url, 'one')
    const other = await serve(settings.url, 'other')
    await expect(migrate(database, quietLog)).rejects.toThrow(
      '2 processes of an earlier version still serve the database of DATABASE_URL and would fail with its new tables: stop all of them',
    )
    await one.end()
    const refused = () => migrate(database, quietLog).then(String, (error: Error) => error.message)
    await expect.poll(refused).toMatch(/^one process of an earlier version still serves /)
    await other.end()
    await expect.poll(refused).toBe('0008-log-milliseconds')
  })
})

describe('the progress of an upgrade', () => {
  it('is told every ten seconds, also that of another process', async () => {
    vi.useFakeTimers()
    const { told, log } = keepingLog()
    const progress = new MigrationProgress(log, { count: 2, isUpgrade: true })
    vi.advanceTimersByTime(10_000)
    progress.begin('0001-one')
    vi.advanceTimersByTime(20_000)
    progress.begin('0002-two')
    progress.end()
    vi.advanceTimersByTime(10_000)
    vi.useRealTimers()
    const one = { step: '0001-one', number: 1, of: 2 }
    expect(told).toEqual([
      [{ seconds: 10 }, 'waiting for another process that updates the schema'],
      [one, 'a step of the schema begins'],
      [{ ...one, seconds: 10 }, 'a step of the schema goes on'],
      [{ ...one, seconds: 20 }, 'a step of the schema goes on'],
      [{ step: '0002-two', number: 2, of: 2 }, 'a step of the schema begins'],
    ])
  })
})
