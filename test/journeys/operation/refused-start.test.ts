// A start that cannot work ends at once, with a sentence that names the variable to change.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addChannel, type App, startApp, startGateway } from '#test'

let folder: string
let app: App
const taken = createServer()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refused-'))
  await writeFile(join(folder, 'file'), '')
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  app = await startApp({ env: { SECRET_KEY: 'the first of all keys' } })
})

afterAll(async () => {
  taken.close()
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const start = (env: Record<string, string>) =>
  startGateway({ env: { PORT: '0', HOST: '127.0.0.1', DATA_DIR: join(folder, 'data'), ...env } })

describe('a start that cannot work', () => {
  it.each([
    { name: 'HOST', value: () => 'nobody.invalid' },
    { name: 'PORT', value: () => String((taken.address() as AddressInfo).port) },
    { name: 'METRICS_PORT', value: () => String((taken.address() as AddressInfo).port) },
    { name: 'DATA_DIR', value: () => join(folder, 'file') },
    { name: 'DATABASE_URL', value: () => 'postgres://nobody:secret@127.0.0.1:1/none' },
    { name: 'REDIS_URL', value: () => 'http://127.0.0.1:1' },
    { name: 'PLUGIN_DIRS', value: () => join(folder, 'file') },
    { name: 'PLUGIN_DIRS', value: () => join(folder, 'none') },
  ])('names $name', async ({ name, value }) => {
    const failed = start({ [name]: value() })
    await expect(failed).rejects.toThrow(
      new RegExp(`^Tollgate did not start: .*\\b${name}\\b`, 'm'),
    )
    await expect(failed).rejects.not.toThrow('secret@')
  })

  it('is none because Redis is away', async () => {
    const process = await start({ REDIS_URL: 'redis://127.0.0.1:1' })
    expect((await fetch(`${process.url}/readyz`)).status).toBe(200)
    expect(await process.stop()).toBe(0)
  })

  it('names METRICS_PORT where it is PORT, and blames no other program', async () => {
    const port = String((taken.address() as AddressInfo).port)
    const both = start({ PORT: port, METRICS_PORT: port })
    await expect(both).rejects.toThrow(`METRICS_PORT is wrong: ${port} is PORT`)
  })

  it('is none with --safe, whatever has become of PLUGIN_DIRS; nor do commands stop at it', async () => {
    const dirs = await mkdtemp(join(tmpdir(), 'refused-dirs-'))
    const safe = await startApp({ env: { PLUGIN_DIRS: dirs } })
    try {
      await rm(dirs, { recursive: true })
      const rescan = await safe.root.call('POST', '/api/plugin/rescan')
      expect(rescan.message).toContain(`PLUGIN_DIRS names ${dirs}, which is not a folder`)
      expect(await safe.command('plugin', 'disable', 'pricing')).toMatchObject({ code: 0 })
      await safe.restart('stop', ['--safe'])
      expect((await fetch(`${safe.url}/readyz`)).status).toBe(200)
    } finally {
      await safe.close()
    }
  })

  it('names SECRET_KEY when it is not the one that wrote the stored secrets', async () => {
    await addChannel(app.root, { base_url: 'http://127.0.0.1:1', models: 'm' })
    await app.process.stop()
    const env = { DATA_DIR: app.dataDir }
    const steps = new DatabaseSync(join(app.dataDir, 'tollgate.db'))
    // As if it were the database of an earlier version: the key is asked for before it is brought up to date.
    const names = () => steps.prepare('SELECT name FROM schema_steps ORDER BY name').all()
    const last = names().findLast(({ name }) => /^\d{4}-/.test(String(name)))?.['name'] ?? ''
    steps.prepare('DELETE FROM schema_steps WHERE name = ?').run(last)
    const before = names()
    const other = start({ ...env, SECRET_KEY: 'another key than before' })
    await expect(other).rejects.toThrow(/^Tollgate did not start: .*\bSECRET_KEY\b/m)
    expect(names()).toEqual(before)
    const migrated = await app.commandIn({ SECRET_KEY: 'another key than before' }, 'migrate')
    expect(migrated).toMatchObject({ code: 1 })
    expect(migrated.output).toContain('SECRET_KEY is not the one that wrote the stored secrets')
    expect(names()).toEqual(before)
    steps.prepare('INSERT INTO schema_steps (name) VALUES (?)').run(last)
    steps.close()
    const right = await start({ ...env, SECRET_KEY: 'the first of all keys' })
    expect(await right.stop()).toBe(0)
  })
})
