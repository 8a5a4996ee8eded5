// A start that cannot work ends at once, with a sentence that names the variable to change.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addChannel, type App, startApp, startGateway } from '#test'
import { switchPlugin } from '../../../core/cli/plugins/plugin-switch.ts'
import type { Print } from '../../../core/cli/print.ts'
import { type Database, openDatabase } from '../../../core/data/database.ts'
import { commandWithin } from '../../harness/gateway-process.ts'
import { quietLog } from '../../harness/quiet-log.ts'
import { layMigratedFile } from '../../harness/sqlite.ts'

const otherKey = 'another key than before'
const taken = createServer()
const takenPort = () => String((taken.address() as AddressInfo).port)

/** Variables with which a start fails. */
const wrong = [
  { name: 'HOST', value: () => 'nobody.invalid' },
  { name: 'METRICS_PORT', value: takenPort },
  { name: 'DATA_DIR', value: () => join(folder, 'file') },
  { name: 'DATABASE_URL', value: () => 'postgres://nobody:secret@127.0.0.1:1/none' },
  { name: 'REDIS_URL', value: () => 'http://127.0.0.1:1' },
  { name: 'PLUGIN_DIRS', value: () => join(folder, 'file') },
  { name: 'PLUGIN_DIRS', value: () => join(folder, 'none') },
]

let folder: string
let app: App
let lastStep: string
/** Of each wrong start, of one with a single port, of one with another key. */
let reasons: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refused-'))
  await writeFile(join(folder, 'file'), '')
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  app = await startApp({ isWithin: true, env: { SECRET_KEY: 'the first of all keys' } })
  await addChannel(app.root, { base_url: 'http://127.0.0.1:1', models: 'm' })
  await app.process.stop()
  // As if it were the database of an earlier version: the key is asked for before it is brought up to date.
  await inDatabase(async (database) => {
    lastStep = (await stepsOf(database)).findLast((name) => /^\d{4}-/.test(name)) ?? ''
    await database.run('DELETE FROM schema_steps WHERE name = :lastStep', { lastStep })
  })
  const starts = wrong.map(({ name, value }) => environment({ [name]: value() }))
  const both = environment({ PORT: takenPort(), METRICS_PORT: takenPort() })
  const withOtherKey = environment({ ...app.env, LOG_LEVEL: 'silent', SECRET_KEY: otherKey })
  reasons = await reasonsOf(await Promise.all([...starts, both, withOtherKey]))
})

afterAll(async () => {
  taken.close()
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

/** A folder of its own with an empty database. */
async function environment(more: Record<string, string>): Promise<Record<string, string>> {
  const DATA_DIR = await mkdtemp(join(folder, 'data-'))
  await layMigratedFile(DATA_DIR)
  return { PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'silent', DATA_DIR, ...more }
}

const core = (file: string) => new URL(`../../../core/${file}`, import.meta.url).href

/** As in core/start.ts. */
const compiled = fileURLToPath(new URL('../../../node_modules/.cache/tollgate', import.meta.url))

/** Why each start fails, one after the other in one process: what they leave behind ends with it. */
async function reasonsOf(starts: readonly Record<string, string>[]): Promise<string[]> {
  const script = `
    const { readSettings } = await import('${core('app/configuration.ts')}')
    const { reasonOf } = await import('${core('app/terminal.ts')}')
    const { startGateway } = await import('${core('main.ts')}')
    const reasons = []
    for (const variables of ${JSON.stringify(starts)}) {
      const starting = async () => startGateway(readSettings(variables))
      reasons.push(await starting().then(() => 'it started', reasonOf))
    }
    console.log(JSON.stringify(reasons))
    process.exit()`
  const words = ['--input-type=module', '--eval', script]
  const env = { ...process.env, NODE_COMPILE_CACHE: compiled }
  const { stdout } = await promisify(execFile)(process.execPath, words, { env })
  return JSON.parse(stdout) as string[]
}

/** Works on the database of the gateway, which has been stopped. */
async function inDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ dataDir: app.dataDir, log: quietLog })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

async function stepsOf(database: Database): Promise<string[]> {
  const rows = await database.select<{ name: string }>('SELECT name FROM schema_steps')
  return rows.map(({ name }) => name).sort()
}

describe('a start that cannot work', () => {
  it('ends at once, and names PORT', async () => {
    const failed = startGateway({ env: await environment({ PORT: takenPort() }) })
    await expect(failed).rejects.toThrow(/^Tollgate did not start: .*\bPORT\b/m)
    await expect(failed).rejects.toThrow('the gateway ended with code 1')
  })

  it.each(wrong.map(({ name }, place) => ({ name, place })))('names $name', ({ name, place }) => {
    expect(reasons[place]).toMatch(new RegExp(`\\b${name}\\b`))
    expect(reasons[place]).not.toContain('secret@')
  })

  it('names METRICS_PORT where it is PORT, and blames no other program', () => {
    expect(reasons.at(-2)).toContain(`METRICS_PORT is wrong: ${takenPort()} is PORT`)
  })

  it('is none because Redis is away', async () => {
    const lonely = await startApp({ isWithin: true, env: { REDIS_URL: 'redis://127.0.0.1:1' } })
    try {
      expect((await fetch(`${lonely.url}/readyz`)).status).toBe(200)
    } finally {
      await lonely.close()
    }
  })

  it('is none with --safe, whatever has become of PLUGIN_DIRS; nor do commands stop at it', async () => {
    const dirs = await mkdtemp(join(tmpdir(), 'refused-dirs-'))
    const safe = await startApp({ isWithin: true, env: { PLUGIN_DIRS: dirs } })
    try {
      await rm(dirs, { recursive: true })
      const rescan = await safe.root.call('POST', '/api/plugin/rescan')
      expect(rescan.message).toContain(`PLUGIN_DIRS names ${dirs}, which is not a folder`)
      const disable = (print: Print) => switchPlugin('disable', ['pricing'], print)
      expect(await commandWithin(safe.env, disable)).toMatchObject({ code: 0 })
      await safe.process.stop()
      const gateway = await startGateway({ env: safe.env, words: ['--safe'] })
      expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200)
      expect(await gateway.stop()).toBe(0)
    } finally {
      await safe.close()
    }
  })

  it('names SECRET_KEY when it is not the one that wrote the stored secrets', async () => {
    expect(reasons.at(-1)).toMatch(/\bSECRET_KEY\b/)
    expect(await inDatabase(stepsOf)).not.toContain(lastStep)
    const migrated = await app.commandIn({ SECRET_KEY: otherKey }, 'migrate')
    expect(migrated).toMatchObject({ code: 1 })
    expect(migrated.output).toContain('SECRET_KEY is not the one that wrote the stored secrets')
    expect(await inDatabase(stepsOf)).not.toContain(lastStep)
    await inDatabase((database) =>
      database.run('INSERT INTO schema_steps (name) VALUES (:lastStep)', { lastStep }),
    )
    await app.restart()
  })
})
