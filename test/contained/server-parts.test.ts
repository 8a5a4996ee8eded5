// What a bad server part costs: itself. The gateway starts, serves, names it, and everything else can be switched.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  type Customer,
  fakeUpstream,
  type FakeUpstream,
  setPrice,
  startApp,
} from '#test'
import {
  badManifests,
  badMigrations,
  badModules,
  badOptions,
  type BadPlugin,
} from './bad-manifests.ts'
import { badEntries, badFolders, badRoutes, badServers } from './bad-server-parts.ts'
import { type MadeFolders, makeFolders } from './plugin-folders.ts'

const kinds: readonly (readonly [string, readonly BadPlugin[]])[] = [
  ['module', badModules],
  ['manifest', badManifests],
  ['options', badOptions],
  ['migrations', badMigrations],
  ['server part', badServers],
  ['registry entries', badEntries],
  ['routes', badRoutes],
]
const all = kinds.flatMap(([, cases]) => cases)
/** What stands in the way is not the plugin's own fault: it is never parked for it. */
const waiting = 'k-needs'

interface Row {
  id: string
  source: string
  state: string
  enabled: boolean
  error: string
}

let folders: MadeFolders
let app: App
let upstream: FakeUpstream
let customer: Customer

beforeAll(async () => {
  folders = await makeFolders([...all, ...badFolders].map(({ folder }) => folder))
  upstream = await fakeUpstream()
  app = await startApp({ env: { PLUGIN_DIRS: folders.path, PLUGIN_LOAD_SECONDS: '2' } })
  await addChannel(app.root, { base_url: upstream.url, models: 'bad-model' })
  await setPrice(app.root, 'bad-model', 1)
  customer = await addCustomer(app.root, 'bad-customer', 1_000_000)
}, 60_000)

afterAll(async () => {
  await app.close()
  await upstream.close()
  await folders.remove()
})

const rows = () => app.root.get<Row[]>('/api/plugin/')
const put = (id: string, enabled: boolean) => app.root.call('PUT', '/api/plugin/', { id, enabled })

async function expectService(): Promise<void> {
  const answer = await fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'bad-model', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('choices')])
  const page = await fetch(`${app.url}/login`)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers.get('content-security-policy')).not.toContain('a.example')
  expect(await app.root.get('/api/status')).toMatchObject({ setup: true, system_name: 'Tollgate' })
  const lost = (await rows()).filter(({ source, state }) => source === 'built-in' && state !== 'on')
  expect(lost).toEqual([])
}

async function expectSwitching(): Promise<void> {
  const isServed = async () => (await fetch(`${app.url}/api/pricing`)).status === 200
  await app.root.put('/api/plugin/', { id: 'pricing', enabled: false })
  expect(await isServed()).toBe(false)
  await app.root.put('/api/plugin/', { id: 'pricing', enabled: true })
  expect(await isServed()).toBe(true)
}

function tables(): string[] {
  const file = readdirSync(app.dataDir).find((name) => name.endsWith('.db')) ?? ''
  const database = new DatabaseSync(join(app.dataDir, file), { readOnly: true })
  const found = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all()
  database.close()
  return found.map(({ name }) => String(name))
}

describe('folders of PLUGIN_DIRS', () => {
  it('are off until somebody switches them on, and nothing of them is loaded', async () => {
    const states = new Map((await rows()).map(({ id, state }) => [id, state]))
    expect(
      all.map(({ folder }) => states.get(folder.id)).filter((state) => state !== 'off'),
    ).toEqual([])
    expect(app.process.log()).not.toContain('out of order')
  })

  it.each(badFolders)('named $folder.id are listed with what to do', async ({ folder, says }) => {
    const found = (await rows()).find(
      ({ id, state }) => id.startsWith(folder.id) && state === 'failed',
    )
    expect(found?.error).toMatch(says)
    expect(await put(found?.id ?? '', true)).toMatchObject({
      success: false,
      code: 'plugins.not_loadable',
    })
  })
})

describe.each(kinds)(
  'a bad plugin is refused with a sentence that says what to do: %s',
  (_kind, cases) => {
    it.each(cases)('$folder.id', async ({ folder, says }) => {
      const refused = await put(folder.id, true)
      expect(refused).toMatchObject({ success: false, code: 'plugins.not_loadable' })
      expect(refused.message).toContain(`"${folder.id}"`)
      expect(refused.message).toMatch(says)
      const row = (await rows()).find(({ id }) => id === folder.id)
      const state = folder.id === waiting ? 'off' : 'failed'
      expect(row).toMatchObject({ enabled: false, state })
      if (state === 'failed') expect(row?.error).toMatch(new RegExp(says.source, 'i'))
    })

    it('and costs nobody else anything', async () => {
      await expectService()
      await expectSwitching()
    })
  },
)

describe('switching while a plugin hangs at its start', () => {
  it('does not wait for it', async () => {
    let isOver = false
    await app.root.call('POST', '/api/plugin/unpark', { id: 'x-hangs' })
    const hanging = put('x-hangs', true).finally(() => {
      isOver = true
    })
    await app.root.put('/api/plugin/', { id: 'pricing', enabled: false })
    expect(isOver).toBe(false)
    expect(await hanging).toMatchObject({ success: false })
    await app.root.put('/api/plugin/', { id: 'pricing', enabled: true })
  })
})

describe('a start with all of them switched on', () => {
  beforeAll(async () => {
    await app.process.stop()
    const file = join(
      app.dataDir,
      readdirSync(app.dataDir).find((name) => name.endsWith('.db')) ?? '',
    )
    const database = new DatabaseSync(file)
    const write = database.prepare(
      `INSERT INTO plugins (id, enabled, source, location) VALUES (?, 1, 'folder', '')
       ON CONFLICT (id) DO UPDATE SET enabled = 1, failures = 0, cause = ''`,
    )
    for (const { folder } of all) write.run(folder.id)
    database.close()
    await app.restart()
  }, 120_000)

  it('serves, and blames each by name', async () => {
    await expectService()
    const found = new Map((await rows()).map((row) => [row.id, row]))
    for (const { folder, says } of all) {
      const row = found.get(folder.id)
      expect([folder.id, row?.state]).toEqual([folder.id, 'failed'])
      expect(row?.error).toMatch(new RegExp(says.source, 'i'))
      expect(app.process.log()).toContain(`plugin \\"${folder.id}\\" is left out`)
    }
    expect(tables().filter((name) => name.endsWith('__left'))).toEqual([])
    await expectSwitching()
  })

  it('parks those that fail a second time, and tries them no more until they are unparked', async () => {
    await app.restart()
    const parked = () => rows().then((list) => list.filter(({ state }) => state === 'parked'))
    expect((await parked()).map(({ id }) => id).sort()).toEqual(
      all
        .map(({ folder }) => folder.id)
        .filter((id) => id !== waiting)
        .sort(),
    )
    await app.restart()
    const leftOut = app.process.log().match(/plugin \\"[\w-]+\\" is left out/g)
    expect(leftOut).toEqual([`plugin \\"${waiting}\\" is left out`])
    expect(await put('x-throws', true)).toMatchObject({ success: false, code: 'plugins.parked' })
    await expectSwitching()
    await expectService()
  }, 120_000)

  it('takes back what was mended', async () => {
    await folders.write({
      id: 'x-throws',
      files: {
        'index.ts': `import own from './own.ts'\nexport default own`,
        'own.ts': `export default { kind: 'plugin', id: 'x-throws', contract: '^1.3', summary: { en: 'Mended', zh: '好了' } }`,
      },
    })
    expect(await app.root.post('/api/plugin/unpark', { id: 'x-throws' })).toMatchObject({
      state: 'on',
      error: '',
    })
    expect((await rows()).find(({ id }) => id === 'x-throws')).toMatchObject({ state: 'on' })
  })
})

describe('when the gateway cannot start', () => {
  it('plugins are listed and switched by a command that loads none of them', async () => {
    await app.process.stop()
    const list = await app.command('plugin', 'list')
    expect(list.output).toMatch(/^x-hangs\tparked\t.*server\(\) took longer/m)
    expect(list.output).toMatch(/^pricing\ton\tbuilt-in$/m)
    expect(await app.command('plugin', 'unpark', 'x-hangs')).toMatchObject({ code: 0 })
    expect(await app.command('plugin', 'disable', 'x-throws')).toMatchObject({ code: 0 })
    expect(await app.command('plugin', 'disable', 'auth-password')).toMatchObject({ code: 1 })
    expect(await app.command('plugin', 'disable', 'nobody')).toMatchObject({ code: 1 })
    const after = (await app.command('plugin', 'list')).output
    expect(after).toMatch(/^x-throws\toff/m)
    expect(after).toMatch(/^x-hangs\ton/m)
  }, 120_000)
})
