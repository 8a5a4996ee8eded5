import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

/** What a machine does on which the package could not be built: the import fails. */
const withoutSqlite3 = `
  import { registerHooks } from 'node:module'
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'sqlite3') throw new Error('not built')
      return next(specifier, context)
    },
  })`

const script = `
  const { openDatabase } = await import(${JSON.stringify(new URL('../database.ts', import.meta.url).href)})
  const { migrate } = await import(${JSON.stringify(new URL('../migrate.ts', import.meta.url).href)})
  const warnings = []
  const log = { debug() {}, info() {}, warn: (_fields, message) => warnings.push(message), error() {} }
  const database = await openDatabase({ dataDir: process.argv[1], log })
  await migrate(database, log)
  await database.transaction((transaction) => database.run(
    "INSERT INTO users (username, quota) VALUES (:name, 5)", { name: 'ann' }, transaction))
  const rows = await database.select('SELECT username, quota FROM users')
  console.log(JSON.stringify({ driver: database.driver, rows, warnings }))
  await database.close()`

describe('a machine where sqlite3 could not be built', () => {
  it('starts on the SQLite of Node itself, and says so', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-test-'))
    const hook = `data:text/javascript,${encodeURIComponent(withoutSqlite3)}`
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--import',
      hook,
      '--input-type=module',
      '--eval',
      script,
      dataDir,
    ])
    expect(JSON.parse(stdout)).toEqual({
      driver: 'node:sqlite',
      rows: [{ username: 'ann', quota: 5 }],
      warnings: ['sqlite3 could not be loaded, using node:sqlite'],
    })
    await rm(dataDir, { recursive: true })
  })
})
