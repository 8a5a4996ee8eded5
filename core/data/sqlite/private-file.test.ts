import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { quietLog } from '../../../test/harness/databases.ts'
import { loadMasterKey } from '../../secrets/master-key.ts'
import { openDatabase } from '../database.ts'

let dataDir: string
let umask: number

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'private-'))
  chmodSync(dataDir, 0o755)
  umask = process.umask(0)
})

afterEach(() => {
  process.umask(umask)
  rmSync(dataDir, { recursive: true })
})

const files = ['tollgate.db', 'tollgate.db-wal', 'tollgate.db-shm']
const modeOf = (name: string) => (statSync(join(dataDir, name)).mode & 0o777).toString(8)

async function useDatabase(sqliteDriver: 'sqlite3' | 'node:sqlite'): Promise<string[]> {
  const database = await openDatabase({ dataDir, log: quietLog, sqliteDriver })
  await database.batch([
    { sql: 'CREATE TABLE IF NOT EXISTS t (a INTEGER)' },
    { sql: 'INSERT INTO t VALUES (1)' },
  ])
  await database.run('INSERT INTO t VALUES (2)')
  const modes = files.map((name) => (existsSync(join(dataDir, name)) ? modeOf(name) : 'absent'))
  await database.close()
  return modes
}

describe.each(['sqlite3', 'node:sqlite'] as const)('the files of a database by %s', (driver) => {
  it('are for their owner only, whatever the folder and the umask let others do', async () => {
    expect(await useDatabase(driver)).toEqual(['600', '600', '600'])
  })

  it('are taken from others when they come from a backup', async () => {
    await useDatabase(driver)
    for (const name of files) {
      if (!existsSync(join(dataDir, name))) writeFileSync(join(dataDir, name), '')
      chmodSync(join(dataDir, name), 0o666)
    }
    expect(await useDatabase(driver)).toEqual(['600', '600', '600'])
  })
})

it.runIf(process.getuid?.() === 0)(
  'a file of somebody else is told with who may not use it',
  () => {
    chmodSync(dataDir, 0o777)
    const file = join(dataDir, 'tollgate.db')
    writeFileSync(file, '', { mode: 0o600 })
    const module = new URL('./private-file.ts', import.meta.url).href
    const script = `process.setuid(65534)
    const { makePrivate } = await import('${module}'); makePrivate('${file}')`
    const words = ['--input-type=module', '-e', script]
    const { stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', timeout: 60_000 })
    expect(stderr).toContain(`${file} cannot be used: user 65534 may not read and write it`)
  },
)

it('the master key is for its owner only', async () => {
  await loadMasterKey({ secretKey: undefined, dataDir })
  expect(modeOf('secret.key')).toBe('600')
  chmodSync(join(dataDir, 'secret.key'), 0o644)
  await loadMasterKey({ secretKey: undefined, dataDir })
  expect(modeOf('secret.key')).toBe('600')
})
