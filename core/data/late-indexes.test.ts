import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { driverKinds, quietLog, type TestDatabase } from '../../test/harness/databases.ts'
import { openDatabase } from './database.ts'
import { changeLateIndexes } from './late-indexes.ts'
import { changeIndexesLater, migrate } from './migrate.ts'

const step = `DELETE FROM schema_steps WHERE name = '0024-log-quarters'`
const added = ['logs_type_channel', 'logs_type_model', 'logs_type_user']

describe.each(driverKinds)('indexes of large tables on $name', ({ name, create }) => {
  let test: TestDatabase

  beforeAll(async () => {
    test = await create()
    const { database } = test
    // As it was before the step.
    for (const index of added) await database.run(`DROP INDEX ${index}`)
    await database.run('CREATE INDEX logs_created ON logs (created_at)')
    await database.run('DROP TABLE log_quarters')
    await database.run('DROP TABLE log_users')
    await database.run('ALTER TABLE log_progress RENAME TO log_sums_progress')
    await database.run(step)
    await database.run(
      `WITH RECURSIVE series (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < 100002)
       INSERT INTO logs (user_id, username, created_at, type) SELECT n % 7, 'user ' || (n % 7), 1750000000 + n, 2 FROM series`,
    )
    await database.run('UPDATE log_sums_progress SET last_id = 100000')
    await migrate(database, quietLog)
  })
  afterAll(() => test.close())

  async function indexes(): Promise<string[]> {
    const rows = await test.database.select<{ name: string }>(
      test.database.dialect === 'postgres'
        ? `SELECT indexname AS name FROM pg_indexes WHERE tablename = 'logs'`
        : `SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'logs'`,
    )
    return rows.map((row) => row.name).filter((index) => /type_|created/.test(index))
  }

  it('come afterwards where calls would wait for them, and only once', async () => {
    if (name === 'PostgreSQL') expect(await indexes()).toEqual(['logs_created'])
    await changeIndexesLater(test.database, { log: quietLog })
    expect((await indexes()).sort()).toEqual(added)
    await changeIndexesLater(test.database, { log: quietLog })
    expect((await indexes()).sort()).toEqual(added)
  })

  it('take the time that they need where the role ends long statements', async () => {
    if (name !== 'PostgreSQL') return
    const { database, settings } = test
    const [own] = await database.select<{ name: string }>('SELECT current_database() AS name')
    await database.run('DROP INDEX IF EXISTS logs_type_user')
    // Whoever has read a table in a transaction is waited for by an index that is made beside the calls.
    const reader = new Client({ connectionString: settings.url })
    await reader.connect()
    await reader.query('BEGIN')
    await reader.query('SELECT 1 FROM logs LIMIT 1')
    await database.run(`ALTER DATABASE ${own?.name} SET statement_timeout = 300`)
    const bound = await openDatabase(settings)
    const made = changeIndexesLater(bound, { log: quietLog })
    await reader.query('SELECT pg_sleep(1)')
    await reader.query('COMMIT')
    try {
      await made
      expect(await indexes()).toContain('logs_type_user')
    } finally {
      await database.run(`ALTER DATABASE ${own?.name} RESET statement_timeout`)
      await Promise.all([bound.close(), reader.end()])
    }
  })

  it('are added before those are dropped whose place they take', async () => {
    if (name !== 'PostgreSQL') return
    const changed: unknown[] = []
    const log = {
      ...quietLog,
      info: ({ index }: object & { index?: unknown }) => void changed.push(index),
    }
    const old = { name: 'tasks_old', table: 'tasks', on: '(user_id)' }
    await changeLateIndexes(test.database, [old], { log })
    const next = { name: 'tasks_new', table: 'tasks', on: '(user_id, id)' }
    await changeLateIndexes(test.database, [old, { name: 'tasks_old', table: 'tasks' }, next], {
      log,
    })
    expect(changed).toEqual(['tasks_old', 'tasks_new', 'tasks_old'])
  })

  it('are built anew where that was broken off', async () => {
    if (name !== 'PostgreSQL') return
    const change = { name: 'tasks_broken', table: 'tasks', on: '(user_id)' }
    const isValid = async () => {
      const sql = `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('tasks_broken')`
      return (await test.database.select<{ valid: boolean }>(sql))[0]?.valid
    }
    await test.database.run('CREATE INDEX tasks_broken ON tasks (user_id)')
    await test.database.run(
      `UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = to_regclass('tasks_broken')`,
    )
    expect(await isValid()).toBe(false)
    await changeLateIndexes(test.database, [change], { log: quietLog })
    expect(await isValid()).toBe(true)
  })

  it('find the rows of the time before by quarters', async () => {
    const [sums] = await test.database.select<{ calls: number; first: number; last: number }>(
      `SELECT CAST(SUM(calls) AS BIGINT) AS calls, MIN(first_id) AS first, MAX(last_id) AS last FROM log_quarters`,
    )
    expect(sums).toEqual({ calls: 100_000, first: 1, last: 100_000 })
    const names = await test.database.select('SELECT username, user_id FROM log_users')
    expect(names).toHaveLength(7)
  })
})
