import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createEmptyPostgres,
  type DatabaseKind,
  driverKinds,
  quietLog,
  type TestDatabase,
} from '../../test/harness/databases.ts'
import { type Database, openDatabase } from './database.ts'
import type { MigrationDatabase } from '#core'
import type { Migration } from '../contract/plugin.ts'
import { isMigrated, migrate, migratePlugin } from './migrate.ts'
import { rowsFrom } from './named-values.ts'

const fieldless = 'INSERT INTO options ("key", value) VALUES (:key, :value)'

async function openEmpty(name: DatabaseKind['name']): Promise<TestDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-empty-'))
  const server = name === 'PostgreSQL' ? await createEmptyPostgres() : undefined
  const sqliteDriver = name === 'PostgreSQL' ? undefined : name
  const settings = { url: server?.url, dataDir, log: quietLog, sqliteDriver }
  const database = await openDatabase(settings)
  return {
    database,
    settings,
    close: async () => {
      await database.close()
      await server?.close()
      await rm(dataDir, { recursive: true })
    },
  }
}

/** Tables and indexes, and what was written into them. */
async function contents({ dialect, select }: Database): Promise<unknown[]> {
  const shape =
    dialect === 'postgres'
      ? `SELECT table_name AS name, column_name || ' ' || data_type || ' ' || is_nullable || COALESCE(column_default, '') AS sql
           FROM information_schema.columns WHERE table_schema = 'public'
         UNION ALL SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2`
      : 'SELECT name, sql FROM sqlite_schema ORDER BY 1, 2'
  const tables = await select<{ name: string }>(
    dialect === 'postgres'
      ? `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`
      : `SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1`,
  )
  const rows = tables.map(async ({ name }) => [name, await select(`SELECT * FROM "${name}"`)])
  return [await select(shape), ...(await Promise.all(rows))]
}

describe.each(driverKinds)('an empty database on $name', ({ name, create }) => {
  it('is taken through every step, and is then what the databases of tests are copies of', async () => {
    const [empty, copy] = await Promise.all([openEmpty(name), create()])
    const files = await readdir(new URL('./migrations/', import.meta.url), { recursive: true })
    const steps = files
      .map((file) => basename(file))
      .filter((file) => /^\d{4}-[\w-]+\.ts$/.test(file))
    expect(await migrate(empty.database, quietLog)).toEqual(
      steps.map((file) => file.replace(/\.ts$/, '')).sort(),
    )
    expect(await contents(copy.database)).toEqual(await contents(empty.database))
    await Promise.all([empty.close(), copy.close()])
  })
})

const manyConnections = driverKinds.filter(({ name }) => name === 'PostgreSQL')
describe.each(manyConnections)('connections of $name', ({ create }) => {
  let test: TestDatabase

  beforeAll(async () => {
    test = await create()
  })
  afterAll(() => test.close())

  it('are there for calls while lists have all of theirs', async () => {
    const { database } = test
    const { promise: end, resolve: endAll } = Promise.withResolvers<void>()
    let begun = 0
    const { promise: allBegun, resolve: resolveAllBegun } = Promise.withResolvers<void>()
    const lists = Array.from({ length: 11 }, () =>
      database.transaction(async (transaction) => {
        await database.select('SELECT 1 AS one', {}, transaction)
        begun += 1
        if (begun === 10) resolveAllBegun()
        await end
      }),
    )
    await allBegun
    const rows = await database.brief(({ select }) => select('SELECT 1 AS one'))
    expect(rows).toEqual([{ one: 1 }])
    expect(begun).toBe(10)
    endAll()
    await Promise.all(lists)
  })

  it('are closed when what a session needs cannot be had', async () => {
    const { database } = test
    const opened = async () => {
      const sql = `SELECT COUNT(*) AS count FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'tollgate ledger'`
      return Number((await database.select<{ count: number }>(sql))[0]?.count)
    }
    const impossible = { sql: 'SELECT nothing_of_this_name()' }
    await expect(database.onBatchSession([impossible])).rejects.toThrow('nothing_of_this_name')
    await expect(database.batch([{ sql: 'SELECT 1' }])).rejects.toThrow('nothing_of_this_name')
    await expect.poll(opened).toBe(0)
  })
})

describe.each(driverKinds)('the database service on $name', ({ create }) => {
  let test: TestDatabase

  beforeAll(async () => {
    test = await create()
  })

  afterAll(() => test.close())

  const valueOf = async (key: string): Promise<string | undefined> => {
    const sql = 'SELECT value FROM options WHERE "key" = :key'
    return (await test.database.select<{ value: string }>(sql, { key }))[0]?.value
  }

  it('lets 64 transactions and 64 plain writes at once all succeed', async () => {
    const { database } = test
    await database.run(fieldless, { key: 'count', value: '0' })
    const add = `UPDATE options SET value = CAST(CAST(value AS BIGINT) + 1 AS TEXT) WHERE "key" = 'count'`
    const transactions = Array.from({ length: 64 }, () =>
      database.transaction(async (transaction) => {
        await database.select('SELECT value FROM options', {}, transaction)
        await database.run(add, undefined, transaction)
      }),
    )
    const plain = Array.from({ length: 64 }, () => database.run(add))
    await Promise.all([...transactions, ...plain])
    expect(await valueOf('count')).toBe('128')
  })

  it('rolls a failed transaction back whole', async () => {
    const { database } = test
    const failing = database.transaction(async (transaction) => {
      await database.run(fieldless, { key: 'half', value: '1' }, transaction)
      throw new Error('fails halfway')
    })
    await expect(failing).rejects.toThrow('fails halfway')
    expect(await valueOf('half')).toBeUndefined()
    await database.run(fieldless, { key: 'after', value: '1' })
  })

  it('keeps what is said to the session of batches out of a transaction that fails', async () => {
    const { database } = test
    let said: Promise<void> | undefined
    const failing = database.brief(async ({ run }) => {
      said = database.onBatchSession([{ sql: fieldless, values: { key: 'said', value: '1' } }])
      await run(fieldless, { key: 'never', value: '1' })
      throw new Error('fails halfway')
    })
    await expect(failing).rejects.toThrow('fails halfway')
    await said
    expect([await valueOf('said'), await valueOf('never')]).toEqual(['1', undefined])
  })

  it('lets a transaction read what others see', async () => {
    const { database } = test
    const count = 'SELECT COUNT(*) AS count FROM options'
    const [before] = await database.select(count)
    const during = await database.transaction(async (transaction) => {
      await database.run(fieldless, { key: 'unseen', value: '1' }, transaction)
      return database.select(count)
    })
    expect(during).toEqual([before])
  })

  it('refuses a write beside the transaction it is awaited in, instead of hanging', async () => {
    const { database } = test
    const forgetful = database.transaction(() => database.run(fieldless, { key: 'x', value: '1' }))
    await expect(forgetful).rejects.toThrow('was not given the transaction')
    const nested = database.transaction(() => database.transaction(() => Promise.resolve(1)))
    await expect(nested).rejects.toThrow('was not given the transaction')
  })

  it('answers an INSERT with RETURNING through select', async () => {
    const sql =
      'INSERT INTO users (username, quota) VALUES (:name, 9007199254740991) RETURNING id, quota'
    const rows = await test.database.select(sql, { name: "O'Brien ✓ ::x :y" })
    expect(rows).toEqual([{ id: expect.any(Number) as number, quota: Number.MAX_SAFE_INTEGER }])
  })

  it('tells a unique violation from other faults', async () => {
    const { database } = test
    await database.run(fieldless, { key: 'once', value: '1' })
    const again = await database
      .run(fieldless, { key: 'once', value: '2' })
      .catch((e: unknown) => e)
    expect(database.isUniqueViolation(again)).toBe(true)
    const other = await database.run('UPDATE nowhere SET x = 1').catch((e: unknown) => e)
    expect(database.isUniqueViolation(other)).toBe(false)
  })

  it('counts the rows that a write changed', async () => {
    const { database } = test
    await database.run(fieldless, { key: 'c1', value: 'same' })
    await database.run(fieldless, { key: 'c2', value: 'same' })
    expect(await database.run(`UPDATE options SET value = 'new' WHERE value = 'same'`)).toBe(2)
    expect(await database.run(`DELETE FROM options WHERE value = 'none'`)).toBe(0)
  })

  it('writes a batch whole or not at all', async () => {
    const { database } = test
    const insert = (key: string) => ({
      sql: fieldless,
      values: { key, value: "it's :a $1 \\ " },
    })
    await database.batch([insert('b1'), { sql: `DELETE FROM options WHERE FALSE` }, insert('b2')])
    expect(await valueOf('b2')).toBe("it's :a $1 \\ ")
    await expect(database.batch([insert('b3'), insert('b1')])).rejects.toThrow('not written')
    expect(await valueOf('b3')).toBeUndefined()
    await database.batch([insert('b4')])
    expect(await valueOf('b4')).toBe("it's :a $1 \\ ")
  })

  it('writes a prepared call alone or with statements beside it, whole or not at all', async () => {
    const { database } = test
    const places = database.dialect === 'sqlite' ? '?, ?' : '$1, $2'
    const call = (key: string) => ({
      sql: `INSERT INTO options ("key", value) VALUES (${places})`,
      values: [key, "it's :a"],
    })
    const insert = (key: string) => ({ sql: fieldless, values: { key, value: 'beside' } })
    await database.batch([], call('call 1'))
    await database.batch([insert('beside 1')], call('call 2'))
    expect([await valueOf('call 1'), await valueOf('beside 1')]).toEqual(["it's :a", 'beside'])
    await expect(database.batch([], call('call 1'))).rejects.toThrow('not written')
    await expect(database.batch([insert('beside 1')], call('call 3'))).rejects.toThrow(
      'not written',
    )
    await expect(database.batch([insert('beside 2')], call('call 2'))).rejects.toThrow(
      'not written',
    )
    expect([await valueOf('call 3'), await valueOf('beside 2')]).toEqual([undefined, undefined])
    await database.batch([insert('beside 3')], call('call 4'))
    expect(await valueOf('beside 3')).toBe('beside')
  })

  it('runs brief transactions one after the other, and rolls a failed one back', async () => {
    const { database } = test
    await database.run(fieldless, { key: 'brief', value: '0' })
    const addOne = () =>
      database.brief(async ({ select, run }) => {
        const rows = await select<{ value: string }>(
          `SELECT value FROM options WHERE "key" = 'brief'${database.dialect === 'postgres' ? ' FOR UPDATE' : ''}`,
        )
        const value = String(Number(rows[0]?.value) + 1)
        await run(`UPDATE options SET value = :value WHERE "key" = 'brief'`, { value })
      })
    await Promise.all(Array.from({ length: 20 }, addOne))
    const failing = database.brief(async ({ run }) => {
      await run(`UPDATE options SET value = 'half' WHERE "key" = 'brief'`)
      await run('UPDATE nowhere SET x = 1')
    })
    await expect(failing).rejects.toThrow('nowhere')
    expect(await valueOf('brief')).toBe('20')
  })

  it.each([
    ["quote ' and '' two", "quote ' and '' two"],
    ['back\\slash \\n', 'back\\slash \\n'],
    ['NUL \0 inside', 'NUL \uFFFD inside'],
    ['lone \uD800 surrogate', 'lone \uFFFD surrogate'],
    ["'); DROP TABLE options; --", "'); DROP TABLE options; --"],
    ['多字节 🙂', '多字节 🙂'],
  ])('keeps the text %j, whichever way it is written', async (text, kept) => {
    const { database } = test
    const values = { value: text }
    const [batched, brief, alone] = ['batch', 'brief', 'run'].map((way) => `${way} ${text}`)
    await database.batch([{ sql: fieldless, values: { ...values, key: batched } }])
    await database.brief(({ run }) => run(fieldless, { ...values, key: brief }))
    await database.run(fieldless, { ...values, key: alone })
    const sql = 'SELECT value FROM options WHERE "key" IN (:keys) AND value = :value'
    const rows = await database.select(sql, { ...values, keys: [batched, brief, alone] })
    expect(rows).toEqual([{ value: kept }, { value: kept }, { value: kept }])
  })

  it('keeps such text in rows that a statement selects from', async () => {
    const { database } = test
    const rows = [{ key: 'json NUL', value: 'a\0b\uD800c \\u0000 🙂' }]
    const columns = { key: 'text', value: 'text' } as const
    const { from, values } = rowsFrom(database.dialect, 'r', columns, rows)
    const sql = `INSERT INTO options ("key", value) SELECT r."key", r.value FROM ${from}`
    await database.batch([{ sql, values }])
    expect(await valueOf('json NUL')).toBe('a\uFFFDb\uFFFDc \\u0000 🙂')
  })

  it('takes numbers, truth values, lists and nothing at all as they are', async () => {
    const { database } = test
    const sql = `SELECT 5 - :less AS more, :big + 0 AS big, COALESCE(:none, :half) AS half, ':no' AS kept -- :no
      WHERE 2 IN (:list) AND 2 NOT IN (SELECT 1 WHERE 1 IN (:empty)) AND :isTrue`
    const values = {
      less: -5,
      big: Number.MAX_SAFE_INTEGER,
      none: null,
      half: 0.5,
      list: [1, 2],
      empty: [],
      isTrue: true,
    }
    const rows = await database.select<{ half: unknown }>(sql, values)
    expect(rows.map((row) => ({ ...row, half: Number(row.half) }))).toEqual([
      { more: 10, big: Number.MAX_SAFE_INTEGER, half: 0.5, kept: ':no' },
    ])
    await expect(database.select('SELECT :missing', {})).rejects.toThrow('no value for :missing')
  })

  it('takes eight times as long for a list that is eight times as long, not 64 times', async () => {
    const costOf = async (length: number) => {
      const names = Array.from({ length }, (_, at) => `option ${at}`)
      const times: number[] = []
      for (let round = 0; round < 3; round += 1) {
        const before = process.cpuUsage()
        await test.database.select('SELECT value FROM options WHERE "key" IN (:names)', { names })
        const { user, system } = process.cpuUsage(before)
        times.push(user + system)
      }
      return Math.min(...times)
    }
    const few = await costOf(2_000)
    expect((await costOf(16_000)) / few).toBeLessThan(24)
  })

  it('migrates once, also when nodes start together', async () => {
    const others = await Promise.all([openDatabase(test.settings), openDatabase(test.settings)])
    const done = await Promise.all(others.map((database) => migrate(database, quietLog)))
    expect(done).toEqual([[], []])
    await Promise.all(others.map((database) => database.close()))
  })

  it('is refused by a version that does not know a step of core, whatever plugins have done', async () => {
    const { database } = test
    const steps = ['9999-later', '1234-odd-0001-step']
    for (const step of steps)
      await database.run('INSERT INTO schema_steps (name) VALUES (:step)', { step })
    const place = database.dialect === 'postgres' ? 'DATABASE_URL' : 'DATA_DIR'
    await expect(migrate(database, quietLog)).rejects.toThrow(
      `the database of ${place} was brought up to date by a newer version (9999-later)`,
    )
    await database.run(`DELETE FROM schema_steps WHERE name = '9999-later'`)
    expect(await migrate(database, quietLog)).toEqual([])
    await database.run(`DELETE FROM schema_steps WHERE name = '1234-odd-0001-step'`)
  })

  it('is left alone where it holds tables of something else', async () => {
    const { database } = test
    for (const name of ['users', 'schema_steps'])
      await database.run(`ALTER TABLE ${name} RENAME TO ${name}_aside`)
    await database.run('CREATE TABLE users (email TEXT)')
    const place = database.dialect === 'postgres' ? 'DATABASE_URL' : 'DATA_DIR'
    await expect(migrate(database, quietLog)).rejects.toThrow(
      new RegExp(`^the database of ${place} holds tables of something else .*users`),
    )
    expect(await isMigrated(database)).toBe(false)
    await database.run('DROP TABLE users')
    for (const name of ['users', 'schema_steps'])
      await database.run(`ALTER TABLE ${name}_aside RENAME TO ${name}`)
  })

  const plugin = (id: string, ...statements: string[]) => ({
    id,
    migrations: statements.map((sql, place) => ({
      id: `${id}-000${place + 1}-step`,
      up: async ({ run }: MigrationDatabase) => void (await run(sql)),
    })),
  })

  it('runs each migration of a plugin once', async () => {
    const sample = plugin('sample', 'CREATE TABLE IF NOT EXISTS sample__rows (id BIGINT)')
    expect(await migratePlugin(test.database, sample, quietLog)).toEqual(['sample-0001-step'])
    expect(await migratePlugin(test.database, sample, quietLog)).toEqual([])
  })

  it.each([
    'CREATE TABLE users_of_mine (id BIGINT)',
    'DROP TABLE IF EXISTS "logs"',
    'alter table\n users ADD COLUMN mine TEXT',
    'CREATE UNIQUE INDEX mine ON torn__rows (id)',
  ])('leaves nothing of a step of a plugin that asks for %j', async (wrong) => {
    const both = `CREATE TABLE torn__rows (id BIGINT); ${wrong}`
    const torn = plugin('torn', both)
    await expect(migratePlugin(test.database, torn, quietLog)).rejects.toThrow(
      /is not the plugin's to write/,
    )
    await expect(test.database.select('SELECT * FROM torn__rows')).rejects.toThrow()
  })

  it('keeps the steps before one that fails, and goes on there', async () => {
    const first = 'CREATE TABLE resumed__rows (id BIGINT)'
    const failing = plugin('resumed', first, 'INSERT INTO resumed__nowhere VALUES (1)')
    await expect(migratePlugin(test.database, failing, quietLog)).rejects.toThrow()
    expect(await test.database.select('SELECT * FROM resumed__rows')).toEqual([])
    const mended = plugin('resumed', first, 'INSERT INTO resumed__rows VALUES (1)')
    expect(await migratePlugin(test.database, mended, quietLog)).toEqual(['resumed-0002-step'])
    expect(await test.database.select('SELECT id FROM resumed__rows')).toHaveLength(1)
  })

  it('runs each step once when nodes load the plugin together', async () => {
    const both = plugin('common', 'CREATE TABLE common__rows (id BIGINT)', 'SELECT 1')
    const other = await openDatabase(test.settings)
    const done = await Promise.all(
      [test.database, other].map((database) => migratePlugin(database, both, quietLog)),
    )
    expect(done.flat().sort()).toEqual(['common-0001-step', 'common-0002-step'])
    await other.close()
  })

  it.each([
    {
      what: 'waits for nothing of the database',
      hang: true,
      fault: /asked nothing of the database/,
    },
    { what: 'ends the transaction itself', sql: 'COMMIT', fault: /no statement for a plugin/ },
    {
      what: 'hides it behind another',
      sql: 'SELECT 1; rollback',
      fault: /no statement for a plugin/,
    },
  ])('leaves nothing of a step that $what, and goes on', async ({ hang, sql, fault }) => {
    const up: Migration['up'] = async ({ run, prefix }) => {
      await run(`CREATE TABLE ${prefix}rows (id BIGINT)`)
      if (hang) await new Promise(() => undefined)
      await run(sql ?? '')
    }
    const bad = { id: 'stuck', migrations: [{ id: 'stuck-0001-start', up }] }
    await expect(migratePlugin(test.database, bad, quietLog, 50)).rejects.toThrow(fault)
    await expect(test.database.select('SELECT * FROM stuck__rows')).rejects.toThrow()
    await test.database.run(`UPDATE options SET value = '1'`)
  })
})
