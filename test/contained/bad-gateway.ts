// A gateway with every bad server part at hand, and what must hold whatever they do.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
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

export const kinds: readonly (readonly [string, readonly BadPlugin[]])[] = [
  ['module', badModules],
  ['manifest', badManifests],
  ['options', badOptions],
  ['migrations', badMigrations],
  ['server part', badServers],
  ['registry entries', badEntries],
  ['routes', badRoutes],
]
export const all = kinds.flatMap(([, cases]) => cases)
/** What stands in the way is not the plugin's own fault: they are never parked for it. */
export const waiting: ReadonlySet<string> = new Set([
  'k-needs',
  'k-self',
  'k-round-a',
  'k-round-b',
  'k-round-c',
])

interface Row {
  id: string
  source: string
  state: string
  enabled: boolean
  error: string
}

export class BadGateway {
  readonly folders: MadeFolders
  readonly app: App
  readonly #upstream: FakeUpstream
  readonly #customer: Customer

  private constructor(folders: MadeFolders, app: App, upstream: FakeUpstream, customer: Customer) {
    this.folders = folders
    this.app = app
    this.#upstream = upstream
    this.#customer = customer
  }

  static async open(): Promise<BadGateway> {
    const folders = await makeFolders([...all, ...badFolders].map(({ folder }) => folder))
    const upstream = await fakeUpstream()
    const app = await startApp({ env: { PLUGIN_DIRS: folders.path, PLUGIN_LOAD_SECONDS: '2' } })
    await addChannel(app.root, { base_url: upstream.url, models: 'bad-model' })
    await setPrice(app.root, 'bad-model', 1)
    const customer = await addCustomer(app.root, 'bad-customer', 1_000_000)
    return new BadGateway(folders, app, upstream, customer)
  }

  async close(): Promise<void> {
    await this.app.close()
    await this.#upstream.close()
    await this.folders.remove()
  }

  rows(): Promise<Row[]> {
    return this.app.root.get<Row[]>('/api/plugin/')
  }

  put(id: string, enabled: boolean) {
    return this.app.root.switchPlugin(id, enabled)
  }

  async expectService(): Promise<void> {
    const answer = await fetch(`${this.app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#customer.key}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ model: 'bad-model', messages: [{ role: 'user', content: 'Hello' }] }),
    })
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('choices')])
    const page = await fetch(`${this.app.url}/login`)
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ])
    expect(page.headers.get('content-security-policy')).not.toContain('a.example')
    expect(await this.app.root.get('/api/status')).toMatchObject({
      setup: true,
      system_name: 'Tollgate',
    })
    const lost = (await this.rows()).filter(
      ({ source, enabled, state }) => source === 'built-in' && enabled && state !== 'on',
    )
    expect(lost).toEqual([])
  }

  async expectSwitching(): Promise<void> {
    const isServed = async () => (await fetch(`${this.app.url}/api/pricing`)).status === 200
    await this.app.root.put('/api/plugin/', { id: 'pricing', enabled: false })
    expect(await isServed()).toBe(false)
    await this.app.root.put('/api/plugin/', { id: 'pricing', enabled: true })
    expect(await isServed()).toBe(true)
  }

  tables(): string[] {
    const file = readdirSync(this.app.dataDir).find((name) => name.endsWith('.db')) ?? ''
    const database = new DatabaseSync(join(this.app.dataDir, file), { readOnly: true })
    const found = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all()
    database.close()
    return found.map(({ name }) => String(name))
  }
}
