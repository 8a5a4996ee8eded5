// What takes long of a plugin's life: PostgreSQL, two nodes, commands, and kills at any moment of an install, after which a whole version is there
// or none.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from '#test'
import { gatewayDatabases } from '../../harness/gateway-databases.ts'
import { describeLifecycle } from './lifecycle.ts'
import { packedPlugin } from './packed-plugin.ts'
import { first } from './sample-versions.ts'

const postgres = gatewayDatabases.filter(({ name }) => name === 'PostgreSQL')
for (const kind of postgres) describeLifecycle(kind)

const kills = 12
const cli = fileURLToPath(new URL('../../../core/cli/tollgate.js', import.meta.url))

let app: App
let work: string

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'tollgate-kill-'))
  // Enough to be in the middle of for a while.
  for (let at = 0; at < 400; at += 1)
    await writeFile(join(work, `data-${at}.txt`), 'x'.repeat(200_000))
  app = await startApp()
}, 60_000)
afterAll(async () => {
  await app.close()
  await rm(work, { recursive: true, force: true })
})

const folder = () => join(app.dataDir, 'plugins')
const installed = async () => (await readdir(folder())).filter((name) => name.startsWith('acme@'))
/** What installs have begun; the first of them makes the folder. */
const begun = async () => {
  const staging = join(folder(), '.staging')
  return existsSync(staging) ? readdir(staging) : []
}
const prepare = (version: string) =>
  writeFile(join(work, 'index.ts'), first.replaceAll('1.0.0', version))

async function expectWholeOrNone(version: string): Promise<void> {
  const names = await installed()
  if (!names.includes(`acme@${version}`)) return
  const files = await readdir(join(folder(), `acme@${version}`))
  expect(files.length).toBe(402)
}

describe('a kill in the middle of an install', () => {
  it.each(Array.from({ length: kills }, (_, at) => at))(
    'of the gateway, number %d',
    async (at) => {
      const version = `1.0.${at}`
      await prepare(version)
      const running = app.root
        .call('POST', '/api/plugin/install', { from: 'folder', path: work })
        .catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 40 + at * 90))
      await app.restart('kill')
      await running
      await expectWholeOrNone(version)
      await expect.poll(begun, { timeout: 5_000 }).toEqual([])
      // Nothing holds the next one up.
      await prepare(`2.0.${at}`)
      expect(
        await app.root.call('POST', '/api/plugin/install', { from: 'folder', path: work }),
      ).toMatchObject({ success: true })
      for (const name of await installed())
        await app.root.call('POST', '/api/plugin/remove-version', {
          id: 'acme',
          version: name.slice(5),
        })
    },
    60_000,
  )

  it('of a command', async () => {
    const env = { ...process.env, DATA_DIR: app.dataDir }
    for (let at = 0; at < kills; at += 1) {
      const version = `3.0.${at}`
      await prepare(version)
      const command = spawn(process.execPath, [cli, 'plugin', 'add', work], {
        env,
        stdio: 'ignore',
      })
      const ended = new Promise((resolve) => command.once('exit', resolve))
      await new Promise((resolve) => setTimeout(resolve, 700 + at * 120))
      command.kill('SIGKILL')
      await ended
      await expectWholeOrNone(version)
    }
    await prepare('4.0.0')
    expect(await app.command('plugin', 'add', work)).toMatchObject({ code: 0 })
    expect(await readdir(join(folder(), '.staging'))).toEqual([])
    expect(await installed()).toContain('acme@4.0.0')
  }, 120_000)
})

describe('commands', () => {
  it('install, switch and uninstall while the gateway runs', async () => {
    const served = async () => (await app.root.call('GET', '/api/acme')).status
    const enabled = await app.command('plugin', 'enable', 'acme')
    expect([enabled.code, enabled.output]).toEqual([1, expect.stringContaining('Say --yes')])
    expect((await app.command('plugin', 'enable', 'acme', '--yes')).code).toBe(0)
    await expect.poll(served, { timeout: 10_000 }).toBe(200)
    expect((await app.command('plugin', 'list')).output).toMatch(/^acme@4\.0\.0\ton\t/m)
    const half = await app.command('plugin', 'remove', 'acme', '--tables', 'drop')
    expect(half.code).toBe(2)
    const whole = ['plugin', 'remove', 'acme', '--tables', 'drop', '--options', 'drop']
    expect((await app.command(...whole)).output).toContain('Switch it off')
    await app.command('plugin', 'disable', 'acme')
    await expect.poll(served, { timeout: 10_000 }).toBe(404)
    expect((await app.command(...whole)).output).toContain('Tables dropped: acme__rows')
    expect(await installed()).toEqual([])
  }, 60_000)
})

describe.each(postgres)('two nodes with folders of their own on $name', ({ open }) => {
  it('say where one of them lacks a version, and follow when it gets it', async () => {
    const database = await open()
    const env = { ...database.env, SECRET_KEY: 'a common key of both nodes' }
    const one = await startApp({ env })
    const two = await startApp({ env, isSetUp: false })
    try {
      const root = one.root.at(two.url)
      const bytes = packedPlugin({ 'index.ts': first })
      await one.root.sendFile('/api/plugin/upload', bytes)
      await one.root.switchPlugin('acme', true)
      const rowAt = async (client: typeof root) =>
        (
          await client.get<
            {
              id: string
              state: string
              error: string
              nodes: { state: string; version: string; error: string }[]
            }[]
          >('/api/plugin/')
        ).find(({ id }) => id === 'acme')
      await expect
        .poll(async () => (await rowAt(root))?.error, { timeout: 10_000 })
        .toMatch(/not on this node/)
      await expect
        .poll(async () => (await rowAt(one.root))?.nodes, { timeout: 20_000 })
        .toMatchObject([{ state: 'failed', error: expect.stringMatching(/not on this node/) }])
      await root.sendFile('/api/plugin/upload', bytes)
      await expect.poll(async () => (await rowAt(root))?.state, { timeout: 10_000 }).toBe('on')
      await expect.poll(async () => (await rowAt(one.root))?.nodes, { timeout: 20_000 }).toEqual([])
      // An upgrade that is not here yet takes nothing away.
      const newer = packedPlugin({ 'index.ts': first.replaceAll('1.0.0', '1.1.0') })
      await one.root.sendFile('/api/plugin/upload', newer)
      const { hash } = await one.root.get<{ hash: string }>('/api/plugin/acme/asks?version=1.1.0')
      await one.root.put('/api/plugin/version', { id: 'acme', version: '1.1.0', confirm: hash })
      await expect
        .poll(async () => (await rowAt(one.root))?.nodes, { timeout: 20_000 })
        .toMatchObject([{ state: 'on', version: '1.0.0' }])
      expect((await root.call('GET', '/api/acme')).status).toBe(200)
      await root.sendFile('/api/plugin/upload', newer)
      await expect.poll(async () => (await rowAt(one.root))?.nodes, { timeout: 20_000 }).toEqual([])
    } finally {
      await two.close()
      await one.close()
      await database.close()
    }
  }, 120_000)
})
