// Commands in a shell that lacks the variables of the gateway, or with words too many: they say so, and leave nothing behind.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeDataDir } from '../../../core/app/data-dir.ts'
import { bringUpToDate, openNamed } from '../../../core/cli/open-database.ts'
import { printOptionHistory } from '../../../core/cli/option-history.ts'
import { listPlugins } from '../../../core/cli/plugins/plugin-switch.ts'
import type { Print } from '../../../core/cli/print.ts'
import { resetAccount } from '../../../core/cli/reset-account.ts'
import { setOption } from '../../../core/cli/set-option.ts'
import { commandWithin } from '../../harness/gateway-process.ts'
import { layMigratedFile } from '../../harness/sqlite.ts'

const cli = fileURLToPath(new URL('../../../core/cli/tollgate.js', import.meta.url))

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'elsewhere-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function command(dataDir: string, ...words: string[]): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir }
  return new Promise((resolve) => {
    execFile(process.execPath, [cli, ...words], { env }, (error, output, errors) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: output + errors }),
    )
  })
}

const history = (print: Print) => printOptionHistory(['SystemName'], print)

/** What commands do, without a process for each. */
const asked: readonly [string, (print: Print) => Promise<number>][] = [
  ['options history', history],
  ['options set', (print) => setOption(['SystemName', 'Mine'], print)],
  ['account reset', (print) => resetAccount(['root'], print)],
  ['plugin list', listPlugins],
]

describe('a command where no gateway has been', () => {
  const refused = (dataDir: string) => ({
    code: 1,
    output: `there is no gateway's database in DATA_DIR ${dataDir}: set DATA_DIR or DATABASE_URL as the gateway has it, or make a new one by "tollgate migrate"\n`,
  })

  it('ledger verify makes no database, and names DATA_DIR', async () => {
    const dataDir = join(folder, 'ledger-verify')
    expect(await command(dataDir, 'ledger', 'verify')).toEqual(refused(dataDir))
    expect(existsSync(dataDir)).toBe(false)
  })

  it.each(asked)('%s makes no database, and names DATA_DIR', async (words, run) => {
    const dataDir = join(folder, words)
    expect(await commandWithin({ DATA_DIR: dataDir }, run)).toEqual(refused(dataDir))
    expect(existsSync(dataDir)).toBe(false)
  })

  it('tells what the commands are, and makes none either', async () => {
    const dataDir = join(folder, 'help')
    const { code, output } = await command(dataDir, 'help')
    expect(output).toContain('  ledger verify  ')
    expect(code).toBe(0)
    expect(existsSync(dataDir)).toBe(false)
  })

  it('takes an empty file for none', async () => {
    await writeFile(join(folder, 'tollgate.db'), '')
    expect(await commandWithin({ DATA_DIR: folder }, history)).toEqual(refused(folder))
  })
})

describe('a command over the database of an earlier version', () => {
  const dataDir = () => join(folder, 'earlier')

  beforeAll(async () => {
    expect(await command(dataDir(), 'migrate')).toMatchObject({ code: 0 })
    const database = new DatabaseSync(join(dataDir(), 'tollgate.db'))
    database.exec(`DELETE FROM schema_steps WHERE name = '0033-made-passwords'`)
    database.close()
  })

  const refusal = {
    code: 1,
    output:
      'the database of DATA_DIR is that of an earlier version: bring it up to date first, by "tollgate migrate"\n',
  }

  it('ledger verify asks for tollgate migrate', async () => {
    expect(await command(dataDir(), 'ledger', 'verify')).toEqual(refusal)
  })

  it('options history asks for tollgate migrate', async () => {
    expect(await commandWithin({ DATA_DIR: dataDir() }, history)).toEqual(refusal)
  })
})

describe('a command over the SQLite file that an earlier version serves', () => {
  it.each([
    ['migrate', (print: Print) => bringUpToDateAndTell(print)],
    ['plugin list', listPlugins],
  ])('%s leaves the tables alone', async (words, run) => {
    const dataDir = join(folder, `served-${words}`)
    await mkdir(dataDir)
    await layMigratedFile(dataDir)
    const file = join(dataDir, 'tollgate.db')
    const ask = (sql: string) => {
      const database = new DatabaseSync(file)
      try {
        return database.prepare(sql).all()
      } finally {
        database.close()
      }
    }
    ask(`DELETE FROM schema_steps WHERE name = '0043-forgotten-turns'`)
    ask('DROP TABLE forgotten_turns')
    const served = takeDataDir(dataDir)
    try {
      expect(await commandWithin({ DATA_DIR: dataDir }, run)).toEqual({
        code: 1,
        output: `DATA_DIR ${dataDir} is in use by process ${process.pid}; stop it, or use PostgreSQL for several processes\n`,
      })
    } finally {
      served.release()
    }
    expect(ask(`SELECT name FROM sqlite_schema WHERE name = 'forgotten_turns'`)).toEqual([])
    expect(await commandWithin({ DATA_DIR: dataDir }, run)).toMatchObject({ code: 0 })
  })
})

/** `tollgate migrate`, whose lines on stdout are those of a log. */
async function bringUpToDateAndTell(print: Print): Promise<number> {
  const database = await openNamed()
  try {
    print((await bringUpToDate(database)).join())
    return 0
  } finally {
    await database.close()
  }
}

describe('words that a command does not take', () => {
  it.each([['migrate'], ['ledger', 'verify'], ['plugin', 'list']])('end %s', async (...words) => {
    const dataDir = join(folder, 'words')
    const { code, output } = await command(dataDir, ...words, '--json')
    expect({ code, output }).toEqual({
      code: 2,
      output: `"tollgate ${words.join(' ')}" takes nothing more: --json\n`,
    })
    expect(existsSync(dataDir)).toBe(false)
  })
})
