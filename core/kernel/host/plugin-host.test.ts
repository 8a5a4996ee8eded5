// The host over a folder with one plugin, without a gateway around it.
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastify } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createBus, fixedOptions } from '../../../test/harness/core-services.ts'
import { quietLog } from '../../../test/harness/quiet-log.ts'
import { databaseAway } from '../../data/database-errors.ts'
import type { SharedServices } from '../contributions.ts'
import { createEventBus } from '../event-bus.ts'
import { Measures } from '../guards/measures.ts'
import { PluginHost } from './plugin-host.ts'
import type { StoredPlugin } from './plugin-records.ts'

const source = `export default {
  id: 'acme',
  kind: 'plugin',
  server({ events }) {
    events.emit('acme', 'started')
    return () => events.emit('acme', 'ended')
  },
}`

let root: string
let host: PluginHost
let lives: Record<'started' | 'ended', number>
let read: () => Promise<StoredPlugin[]>
let migrate: () => Promise<void>

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tollgate-host-'))
  await mkdir(join(root, 'plugins', 'acme'), { recursive: true })
  await writeFile(join(root, 'plugins', 'acme', 'index.mjs'), source)
  lives = { started: 0, ended: 0 }
  read = () => Promise.resolve([])
  migrate = () => Promise.resolve()
  host = hostOf(root)
  await host.start()
})
afterEach(async () => {
  await host.close()
  await rm(root, { recursive: true, force: true })
})

function hostOf(folder: string): PluginHost {
  const events = createEventBus(quietLog)
  const nothing = () => Promise.resolve()
  const shared = {
    events: { ...events, emit: (_: string, life: 'started' | 'ended') => void (lives[life] += 1) },
    options: fixedOptions({}),
    cluster: createBus().join('one'),
    mail: { send: nothing, use: () => () => undefined },
    log: quietLog,
  }
  return new PluginHost({
    root: folder,
    version: '1.0.0',
    log: quietLog,
    pluginDirs: [],
    installedDir: join(folder, 'installed'),
    offAtFirstStart: [],
    isSafe: false,
    loadTimeoutMs: 5_000,
    measures: new Measures(),
    table: { read: () => read(), write: nothing, fail: nothing, forgive: nothing, remove: nothing },
    cluster: shared.cluster,
    events,
    nodes: { of: () => [], announce: () => undefined, close: () => undefined },
    shared: () => shared as Partial<SharedServices> as SharedServices,
    narrowed: (_plugin, all) => all,
    follow: () => () => undefined,
    reserveOptions: () => undefined,
    defineOptions: () => undefined,
    prepareOptions: () => undefined,
    secretsOf: () => [],
    ownerOfOption: () => undefined,
    afterSwap: nothing,
    runMigrations: () => migrate(),
    startJob: () => () => undefined,
    createApp: async () => {
      const app = fastify()
      await app.ready()
      return app
    },
  })
}

it('ends what it built ahead when the plugins cannot be read in its turn', async () => {
  let times = 0
  read = () => {
    times += 1
    return times === 1 ? Promise.resolve([]) : Promise.reject(new Error('the table is away'))
  }
  await expect(host.reload()).rejects.toThrow('the table is away')
  await expect.poll(() => lives).toEqual({ started: 2, ended: 1 })
  expect(host.current.number).toBeGreaterThan(0)
})

it('leaves no plugin out because the database is away, and follows when it is back', async () => {
  const { number } = host.current
  migrate = () => Promise.reject(databaseAway())
  await expect(host.reload()).rejects.toMatchObject({ code: 'server.database_away' })
  await expect(host.setEnabled('acme', true)).rejects.toMatchObject({ status: 503 })
  expect(host.current.number).toBe(number)
  migrate = () => Promise.resolve()
  await expect.poll(() => host.current.number).toBeGreaterThan(number)
  expect(host.current.loaded.has('acme')).toBe(true)
})

it('goes on with the loaded code of a plugin whose folder is away for a moment', async () => {
  const folder = join(root, 'plugins', 'acme')
  await rename(folder, `${folder}.away`)
  await host.setEnabled('acme', true)
  expect(host.list().find(({ id }) => id === 'acme')).toMatchObject({ state: 'on', error: '' })
})

describe('an installed plugin whose next version somebody took on another node', () => {
  const row = (version: string, services: readonly string[]): StoredPlugin => ({
    id: 'beta',
    enabled: true,
    source: 'package',
    version,
    confirmed: JSON.stringify(services.map((name) => `service:${name}`)),
    failures: 0,
    cause: '',
  })
  const install = async (version: string, services: readonly string[], work: string) => {
    const folder = join(root, 'installed', `beta@${version}`)
    await mkdir(folder, { recursive: true })
    const manifest = `{ id: 'beta', kind: 'plugin', version: '${version}', asks: ${JSON.stringify({ services })}, server() { ${work} } }`
    await writeFile(join(folder, 'index.mjs'), `export default ${manifest}`)
  }

  it.each(['cannot be loaded', 'is not here'])(
    'goes on in the one before when the next %s, also when that asks for less',
    async (what) => {
      await install('1.0.0', ['events', 'mail'], '')
      read = () => Promise.resolve([row('1.0.0', ['events', 'mail'])])
      await host.reload()
      const one = () => host.list().find(({ id }) => id === 'beta')
      expect(one()).toMatchObject({ state: 'on', version: '1.0.0' })
      if (what === 'cannot be loaded')
        await install('2.0.0', ['events'], `throw new Error('out of order')`)
      read = () => Promise.resolve([row('2.0.0', ['events'])])
      for (let time = 0; time < 2; time += 1) {
        await host.reload()
        expect(one()).toMatchObject({ state: 'on', version: '1.0.0', error: '' })
        expect(host.current.loaded.has('beta')).toBe(true)
      }
    },
  )
})

describe('two plugins that want the same name', () => {
  const row = (id: string, failures = 0): StoredPlugin => ({
    id,
    enabled: true,
    source: 'package',
    version: '1.0.0',
    confirmed: '["host:*","route:*","service:*"]',
    failures,
    cause: '',
  })
  const states = (of: PluginHost) =>
    Object.fromEntries(of.list().map(({ id, state }) => [id, state]))

  beforeEach(async () => {
    for (const id of ['aardvark', 'beta']) {
      const folder = join(root, 'installed', `${id}@1.0.0`)
      await mkdir(folder, { recursive: true })
      const work = `jobs.add({ id: 'sweep', everyMs: 1000, run: () => Promise.resolve() })`
      const manifest = `{ id: '${id}', kind: 'plugin', version: '1.0.0', server({ jobs }) { ${work} } }`
      await writeFile(join(folder, 'index.mjs'), `export default ${manifest}`)
    }
    read = () => Promise.resolve([row('beta')])
    await host.reload()
  })

  it('leave it with the one that serves', async () => {
    expect(states(host)).toMatchObject({ aardvark: 'off', beta: 'on' })
    read = () => Promise.resolve([row('aardvark'), row('beta')])
    await host.reload()
    expect(states(host)).toMatchObject({ aardvark: 'failed', beta: 'on' })
  })

  it('leave it, at a start, with the one that has not failed', async () => {
    await host.close()
    read = () => Promise.resolve([row('aardvark', 1), row('beta')])
    host = hostOf(root)
    await host.start()
    expect(states(host)).toMatchObject({ beta: 'on' })
    expect(states(host)['aardvark']).not.toBe('on')
  })
})
