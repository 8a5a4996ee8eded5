// Commands in a shell that lacks the variables of the gateway, or with words too many: they say so, and leave nothing behind.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

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

describe('a command where no gateway has been', () => {
  it.each([
    ['ledger', 'verify'],
    ['options', 'history', 'SystemName'],
    ['options', 'set', 'SystemName', 'Mine'],
    ['account', 'reset', 'root'],
    ['plugin', 'list'],
  ])('%s %s makes no database, and names DATA_DIR', async (...words) => {
    const dataDir = join(folder, words.join('-'))
    const { code, output } = await command(dataDir, ...words)
    expect(code).toBe(1)
    expect(output).toBe(
      `there is no gateway's database in DATA_DIR ${dataDir}: set DATA_DIR or DATABASE_URL as the gateway has it, or make a new one by "tollgate migrate"\n`,
    )
    expect(existsSync(dataDir)).toBe(false)
  })

  it('tells what the commands are, and makes none either', async () => {
    const dataDir = join(folder, 'help')
    expect(await command(dataDir, 'help')).toMatchObject({ code: 0 })
    expect(existsSync(dataDir)).toBe(false)
  })

  it('takes an empty file for none', async () => {
    await writeFile(join(folder, 'tollgate.db'), '')
    const { code, output } = await command(folder, 'ledger', 'verify')
    expect({ code, output }).toMatchObject({ code: 1 })
    expect(output).toContain('there is no gateway')
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

  it.each([
    ['ledger', 'verify'],
    ['options', 'history', 'SystemName'],
  ])('%s %s asks for tollgate migrate', async (...words) => {
    expect(await command(dataDir(), ...words)).toEqual({
      code: 1,
      output:
        'the database of DATA_DIR is that of an earlier version: bring it up to date first, by "tollgate migrate"\n',
    })
  })
})

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
