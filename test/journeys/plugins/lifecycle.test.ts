// A plugin's life in a gateway, and who may have a hand in it. lifecycle.long.test.ts goes on with PostgreSQL, kills and two nodes.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, ApiClient, type App, startApp } from '#test'
import { gatewayDatabases } from '../../harness/gateway-databases.ts'
import { describeLifecycle } from './lifecycle.ts'
import { greedy, second } from './sample-versions.ts'

for (const kind of gatewayDatabases.filter(({ name }) => name === 'SQLite')) describeLifecycle(kind)

describe('who may', () => {
  let app: App
  const calls: [method: string, path: string, body?: unknown][] = [
    ['GET', '/api/plugin/install'],
    ['POST', '/api/plugin/install', { from: 'npm', spec: 'acme' }],
    ['POST', '/api/plugin/upload', {}],
    ['PUT', '/api/plugin/version', { id: 'acme', version: '1.0.0' }],
    ['POST', '/api/plugin/remove-version', { id: 'acme', version: '1.0.0' }],
    ['POST', '/api/plugin/uninstall', { id: 'acme', tables: 'keep', options: 'keep' }],
    ['POST', '/api/plugin/rescan'],
  ]
  const others = new Map<string, ApiClient>()

  beforeAll(async () => {
    app = await startApp({ isWithin: true })
    others.set('a visitor', new ApiClient(app.url))
    for (const [name, role] of [
      ['customer', 1],
      ['admin', 10],
    ] as const) {
      const account = {
        username: `life-${name}`,
        password: 'correct horse battery',
        display_name: name,
        role,
      }
      await app.root.post('/api/user/', account)
      others.set(name, await new ApiClient(app.url).signIn(account.username, account.password))
    }
  })
  afterAll(() => app.close())

  it.each(calls)(
    '%s %s: the super admin, and nobody on a demo site',
    async (method, path, body) => {
      const refused = async (caller: ApiClient | undefined): Promise<Answer | undefined> =>
        caller?.call(method, path, body)
      expect((await refused(others.get('a visitor')))?.status).toBe(401)
      for (const name of ['customer', 'admin'])
        expect(await refused(others.get(name))).toMatchObject({
          success: false,
          code: 'access.role_too_low',
        })
      if (method === 'GET') return
      await app.root.put('/api/option/', { key: 'DemoSiteEnabled', value: 'true' })
      expect(await app.root.call(method, path, body)).toMatchObject({
        success: false,
        code: 'plugins.demo',
      })
      await app.root.put('/api/option/', { key: 'DemoSiteEnabled', value: 'false' })
    },
  )

  it.each([
    [{ from: 'folder', path: '' }],
    [{ from: 'folder', path: 'x\0y' }],
    [{ from: 'url', spec: 'http://example.com' }],
    [{ from: 'npm', spec: 7 }],
    [{ from: 'npm', spec: '../../etc' }],
    [{ from: 'npm', spec: 'x'.repeat(301) }],
    [{}],
  ])('%j is refused', async (body) => {
    expect(await app.root.call('POST', '/api/plugin/install', body)).toMatchObject({
      status: 200,
      success: false,
    })
  })

  it.each(['../..', '..%2f..', 'acme', '1.0.0/../../x'])(
    'no version is called %s',
    async (version) => {
      for (const [method, path] of [
        ['PUT', '/api/plugin/version'],
        ['POST', '/api/plugin/remove-version'],
      ] as const)
        expect(await app.root.call(method, path, { id: '../evil', version })).toMatchObject({
          success: false,
          code: 'plugins.unknown',
        })
    },
  )

  it('hand in no more than 32 MiB', async () => {
    const answer = await app.root.sendFile('/api/plugin/upload', Buffer.alloc(33 * 1_048_576))
    expect(answer).toMatchObject({ status: 413, success: false })
  })
})

it('a folder of PLUGIN_DIRS that is changed so that it asks for more is left out until that is confirmed', async () => {
  const dirs = await mkdtemp(join(tmpdir(), 'tollgate-dirs-'))
  const module = join(dirs, 'acme', 'index.ts')
  await mkdir(join(dirs, 'acme'))
  await writeFile(module, second)
  const app = await startApp({ isWithin: true, env: { PLUGIN_DIRS: dirs } })
  const row = async () =>
    (await app.root.get<{ id: string }[]>('/api/plugin/')).find(({ id }) => id === 'acme')
  try {
    // By a process of its own: this one could not read the module again.
    await app.process.stop()
    expect(await app.command('plugin', 'enable', 'acme', '--yes')).toMatchObject({ code: 0 })
    await writeFile(module, greedy)
    await app.restart()
    await app.restart()
    expect(await row()).toMatchObject({
      state: 'failed',
      enabled: true,
      error: expect.stringContaining('asks for more than was confirmed: service:ledger'),
    })
    expect(await app.root.switchPlugin('acme', true)).toMatchObject({ success: true })
    expect(await app.root.get('/api/acme')).toBe('4.0.0')
    await app.root.put('/api/plugin/', { id: 'acme', enabled: false })
    const gone = { id: 'acme', tables: 'drop', options: 'drop' }
    expect(await app.root.post('/api/plugin/uninstall', gone)).toEqual({
      tables: [],
      options: [],
      folder: join(dirs, 'acme'),
    })
    expect(await row()).toMatchObject({ state: 'off', source: 'folder' })
  } finally {
    await app.close()
    await rm(dirs, { recursive: true, force: true })
  }
})

describe('a command that removes', () => {
  it('knows the version, and takes no option of others along', async () => {
    const work = await mkdtemp(join(tmpdir(), 'tollgate-greedy-'))
    const app = await startApp({ isWithin: true })
    const keys = ['ModelRatio', 'QuotaForNewUser', 'GrabOwn']
    const options = keys.map((key) => `${key}: Type.String({ default: '' })`).join()
    await writeFile(
      join(work, 'index.ts'),
      `import { defineOptions, definePlugin, Type } from 'tollgate'
       export default definePlugin({ id: 'grab', version: '1.0.0', contract: '^1.3', options: defineOptions({ ${options} }) })`,
    )
    try {
      await app.root.put('/api/option/', { key: 'QuotaForNewUser', value: '77' })
      expect(await app.command('plugin', 'add', work)).toMatchObject({ code: 0 })
      expect(await app.command('plugin', 'remove', 'grab@9.9.9')).toMatchObject({
        code: 1,
        output: expect.stringContaining('is not installed') as string,
      })
      const words = ['remove', 'grab', '--tables', 'keep', '--options', 'drop']
      const { output } = await app.command('plugin', ...words)
      expect(output).toContain('Options dropped: GrabOwn.')
      const all = await app.root.get<{ key: string; value: string }[]>('/api/option/')
      expect(all.find(({ key }) => key === 'QuotaForNewUser')?.value).toBe('77')
    } finally {
      await app.close()
      await rm(work, { recursive: true, force: true })
    }
  })
})
