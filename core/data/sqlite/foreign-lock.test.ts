import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSqlite, type TestDatabase } from '../../../test/harness/databases.ts'
import { SQLITE_WAIT_MS } from './foreign-lock.ts'
import { type Database, openDatabase } from '../database.ts'

const slow = { code: 'server.database_slow', status: 503 }
const add = `INSERT INTO options ("key", value) VALUES (:key, '1')`
const keys = `SELECT "key" FROM options WHERE "key" LIKE 'key %' ORDER BY "key"`

const lock = `new (require('node:sqlite').DatabaseSync)(process.argv[1]).exec('BEGIN IMMEDIATE')
  console.log('locked')
  setInterval(() => undefined, 1000)`

/** A process of its own, because the locks of a file are those of processes. */
async function lockingProgram(file: string): Promise<ChildProcess> {
  const program = spawn(process.execPath, ['-e', lock, file], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(program.stdout, 'data')
  return program
}

describe.each(['sqlite3', 'node:sqlite'] as const)('beside another program, with %s', (driver) => {
  let test: TestDatabase
  let other: ChildProcess
  let database: Database

  const open = async (lockMs?: number) => {
    database = await openDatabase({ ...test.settings, sqliteDriver: driver, lockMs })
  }

  beforeEach(async () => {
    test = await createSqlite(driver)
    await test.database.close()
    other = await lockingProgram(join(test.settings.dataDir, 'tollgate.db'))
  })

  afterEach(async () => {
    other.kill('SIGKILL')
    await database.close()
    await test.close()
  })

  /** One write by each way to the file. */
  const ways: (() => Promise<unknown>)[] = [
    () => database.run(add, { key: 'key 1' }),
    () => database.transaction((transaction) => database.run(add, { key: 'key 2' }, transaction)),
    () => database.brief(({ run }) => run(add, { key: 'key 3' })),
    () => database.batch([{ sql: add, values: { key: 'key 4' } }]),
    () =>
      database.batch([], {
        sql: `INSERT INTO options ("key", value) VALUES (?, '1')`,
        values: ['key 5'],
      }),
  ]
  const writes = () => ways.map((write) => write())

  it('reads while writes wait, and writes when the file is free', async () => {
    await open()
    const written = Promise.all(writes())
    // The first of them asks the file, in vain.
    for (let read = 0; read < 20; read += 1) expect(await database.select(keys)).toEqual([])
    other.kill('SIGKILL')
    await written
    expect(await database.select(keys)).toHaveLength(5)
  })

  it.each([0, 1, 2, 3, 4])('begins again where it came alone, by way %i', async (way) => {
    await open()
    const written = ways[way]?.()
    const beganMs = performance.now()
    while (performance.now() - beganMs < 4 * SQLITE_WAIT_MS) await database.select(keys)
    other.kill('SIGKILL')
    await written
    expect(await database.select(keys)).toHaveLength(1)
  })

  it.each([0, 4])('refuses all that wait behind the first, of way %i', async (way) => {
    const limitMs = 800
    await open(limitMs)
    let refused = 0
    const first = ways[way]?.() ?? Promise.resolve()
    for (let read = 0; read < 20; read += 1) await database.select(keys)
    const waiting = ways.map((write, index) => (index === way ? first : write()))
    for (const write of waiting) void write.catch(() => (refused += 1))
    await expect.poll(() => refused, { interval: 10, timeout: 4 * limitMs }).toBeGreaterThan(0)
    // Not one after the other, which would take four times as long.
    await expect.poll(() => refused, { timeout: 2 * limitMs }).toBe(ways.length)
    const outcomes = await Promise.allSettled(waiting)
    const reasons = outcomes.map((outcome) => 'reason' in outcome && (outcome.reason as unknown))
    expect(reasons.slice(0, 3)).toEqual([1, 2, 3].map(() => expect.objectContaining(slow)))
    const again = { name: 'BatchError', code: 'SQLITE_BUSY', isTransient: true, isUnknown: false }
    expect(reasons.slice(3)).toEqual([1, 2].map(() => expect.objectContaining(again)))
    other.kill('SIGKILL')
    await once(other, 'exit')
    await database.run(add, { key: 'key 6' })
    expect(await database.select(keys)).toEqual([{ key: 'key 6' }])
  })
})
