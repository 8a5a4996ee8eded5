import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPostgres, createSqlite, hasPostgres } from '../../test/harness/databases.ts'
import type { TestDatabase } from '../../test/harness/sqlite.ts'
import { copyToPostgres } from './copy-to-postgres-sql.ts'
import { sqliteFileName } from './sqlite/database.ts'

describe.runIf(hasPostgres)('a copy of SQLite into PostgreSQL', () => {
  let from: TestDatabase
  let to: TestDatabase
  const copy = () =>
    copyToPostgres(join(from.settings.dataDir, sqliteFileName), to.database, () => undefined)

  beforeEach(async () => {
    from = await createSqlite('node:sqlite')
    to = await createPostgres()
  })
  afterEach(async () => {
    await from.close()
    await to.close()
  })

  const addUser = (id: number, username: string, deletedAt: string | null = null) =>
    from.database.run(
      'INSERT INTO users (id, username, quota, deleted_at, password_made) VALUES (:id, :username, :quota, :deletedAt, TRUE)',
      { id, username, quota: Number.MAX_SAFE_INTEGER, deletedAt },
    )

  it('keeps texts, large integers, doubles, truth values and times to the last digit', async () => {
    const name = `O'Brien "\\u0000" \\ \n:id 名 👩‍🚀`
    await addUser(7, name, '2026-11-23 05:06:07.089 +00:00')
    await from.database.run(
      `INSERT INTO channels (id, type, "key", name, created_time, balance) VALUES (3, 1, 'k', 'c', 1, :balance)`,
      { balance: 0.1 + 0.2 },
    )
    await copy()
    const [user] = await to.database.select(
      'SELECT username, quota, deleted_at, password_made, access_token FROM users WHERE id = 7',
    )
    expect(user).toEqual({
      username: name,
      quota: Number.MAX_SAFE_INTEGER,
      deleted_at: new Date('2026-11-23T05:06:07.089Z'),
      password_made: true,
      access_token: null,
    })
    const [channel] = await to.database.select('SELECT balance FROM channels')
    expect(channel).toEqual({ balance: 0.1 + 0.2 })
  })

  it('copies each row of a table that is larger than a slice', async () => {
    await from.database.run(
      `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 3000)
      INSERT INTO logs (user_id, created_at, type, content) SELECT n, n, 2, hex(randomblob(1000)) FROM number`,
    )
    const sums =
      'SELECT COUNT(*) AS rows, SUM(LENGTH(content)) AS size, CAST(SUM(user_id) AS BIGINT) AS users FROM logs'
    const [before] = await from.database.select(sums)
    await copy()
    expect(await to.database.select(sums)).toEqual([before])
  })

  it('never gives the number of a row again that was there once', async () => {
    await addUser(41, 'gone')
    await from.database.run('DELETE FROM users')
    await addUser(5, 'ada')
    await copy()
    const sql = `INSERT INTO users (username) VALUES ('new') RETURNING id`
    expect(await to.database.select(sql)).toEqual([{ id: 42 }])
  })

  it('replaces the first rows of the tables by those of the file', async () => {
    await from.database.run('UPDATE log_progress SET last_id = 9')
    await copy()
    expect(await to.database.select('SELECT last_id FROM log_progress')).toEqual([{ last_id: 9 }])
  })

  it('refuses a target in which there is an account, and leaves it alone', async () => {
    await addUser(1, 'ada')
    await to.database.run(`INSERT INTO users (username) VALUES ('bob')`)
    await expect(copy()).rejects.toThrow('name an empty one')
    expect(await to.database.select('SELECT username FROM users')).toEqual([{ username: 'bob' }])
  })

  it('leaves nothing where a row is refused, names its table, and works once that is gone', async () => {
    await addUser(1, 'ada')
    await from.database.run(`INSERT INTO users (id, username, role) VALUES (2, 'eve', 99999999999)`)
    await expect(copy()).rejects.toThrow('a row of users cannot be copied')
    expect(await to.database.select('SELECT 1 FROM users')).toEqual([])
    await from.database.run('DELETE FROM users WHERE id = 2')
    await copy()
    expect(await to.database.select('SELECT username FROM users')).toEqual([{ username: 'ada' }])
  })

  it('tells which tables with rows it had to leave behind', async () => {
    await from.database.run('CREATE TABLE stranger_notes (id INTEGER PRIMARY KEY, data BLOB)')
    await from.database.run(`INSERT INTO stranger_notes (data) VALUES (x'00ff')`)
    expect(await copy()).toEqual([{ table: 'stranger_notes', rows: 1 }])
  })

  it('fills bytes and JSON of a plugin from outside', async () => {
    await from.database.run('CREATE TABLE notes (id TEXT PRIMARY KEY, data BLOB, said TEXT)')
    await from.database.run(`INSERT INTO notes VALUES ('a', x'00ff', '{"n":1}'), ('b', NULL, NULL)`)
    await to.database.run('CREATE TABLE notes (id TEXT PRIMARY KEY, data BYTEA, said JSONB)')
    await copy()
    expect(await to.database.select('SELECT * FROM notes ORDER BY id')).toEqual([
      { id: 'a', data: Buffer.from([0, 255]), said: { n: 1 } },
      { id: 'b', data: null, said: null },
    ])
  })
})
