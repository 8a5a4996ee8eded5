// Each extension point has a reader in the product: the sample plugin goes through all of them in a real gateway.
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  type Customer,
  fakeUpstream,
  type FakeUpstream,
  openaiClient,
  setPrice,
  startApp,
} from '#test'
import { metric, metricsToken } from '../../harness/metrics-reader.ts'
import { commandWithin } from '../../harness/gateway-process.ts'
import { makeOldGateway } from '../../harness/old-gateways/tables.ts'
import { layMigratedFile } from '../../harness/sqlite.ts'
import { sqliteFileName } from '../../../core/data/sqlite/database.ts'
import { runImport } from '../../../core/cli/import-database.ts'
import { pluginCommands } from '../../../core/cli/plugins/plugin-commands.ts'
import { switchPlugin } from '../../../core/cli/plugins/plugin-switch.ts'
import { Contributions } from '../../../core/kernel/contributions.ts'

const samples = fileURLToPath(new URL('../../samples', import.meta.url))

let app: App
let upstream: FakeUpstream
let customer: Customer

beforeAll(async () => {
  upstream = await fakeUpstream()
  app = await startApp({
    isWithin: true,
    env: { PLUGIN_DIRS: samples, METRICS_TOKEN: metricsToken },
    plugins: ['every-point'],
  })
  await addChannel(app.root, { base_url: upstream.url, models: 'sample-model' })
  await addChannel(app.root, { base_url: upstream.url, models: 'sample-model' })
  await setPrice(app.root, 'sample-model', 1)
  customer = await addCustomer(app.root, 'sample-customer', 100_000)
  await openaiClient(app.url, customer.key).chat.completions.create({
    model: 'sample-model',
    messages: [{ role: 'user', content: 'Hello' }],
  })
  await app.root.put('/api/option/', { key: 'EveryPointWord', value: 'second' })
  await app.root.put('/api/option/', { key: 'EveryPointBotCheck', value: 'true' })
  await app.root.put('/api/user/setting', { notify_type: 'every-point' })
  await app.root.post('/api/every-point/tell', {})
})

afterAll(async () => {
  await app.close()
  await upstream.close()
})

async function status(path: string, headers: Record<string, string> = {}): Promise<number> {
  return (await fetch(`${app.url}${path}`, { headers })).status
}

/** What the sample was called for; some of it comes a moment after the answer. */
function saw(...points: string[]): Promise<void> {
  const seen = async () => (await app.root.get<{ seen: string[] }>('/api/every-point')).seen
  return expect.poll(seen).toEqual(expect.arrayContaining(points))
}

/** By the name of the registry, or of what a plugin calls; the last one stops the gateway. */
const points: Record<string, () => Promise<void>> = {
  routes: async () => expect(await status('/api/every-point')).toBe(200),
  options: async () =>
    expect(await app.root.get('/api/every-point')).toMatchObject({ word: 'second' }),
  'options.onChange': () => saw('options.onChange EveryPointWord'),
  migrations: () => saw('migrations'),
  events: () => saw('events EveryPointWord'),
  'cluster.subscribe': () => saw('cluster.resync', 'cluster.subscribe'),
  'mail.use': () => saw('mail.use Hello'),
  notifiers: async () => {
    const ways = await app.root.get<{ id: string; name: string }[]>('/api/user/notifiers')
    expect(ways.map(({ id, name }) => [id, name])).toContainEqual(['every-point', 'Every point'])
    await saw('notifiers Hello')
  },
  jobs: () => saw('jobs'),
  errorStatus: async () => expect(await status('/api/every-point/refusal')).toBe(418),
  statusFields: async () =>
    expect(await app.root.get('/api/status')).toHaveProperty('every_point', expect.any(Number)),
  metrics: async () =>
    expect(
      await metric(app, 'tollgate_plugin_metric{plugin="every-point",metric="every_point_calls"}'),
    ).toBe(3),
  authProviders: async () => {
    expect(await app.root.get('/api/status')).toMatchObject({
      sign_in_methods: expect.arrayContaining([
        {
          id: 'every-point',
          kind: 'redirect',
          name: { en: 'Every point', zh: '全部扩展点' },
          creates_accounts: true,
        },
      ]),
    })
    const begun = await fetch(`${app.url}/api/oauth/state?provider=every-point`)
    const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const { data: state } = (await begun.json()) as { data: string }
    const path = `/api/oauth/every-point?code=letters&state=${state}`
    const done = await fetch(`${app.url}${path}`, { headers: { cookie } })
    expect(await done.json()).toMatchObject({ data: { username: 'sample-person', role: 1 } })
    await saw('authProviders letters true')
  },
  paymentProviders: async () => {
    await app.root.put('/api/option/', { key: 'ServerAddress', value: app.url })
    const { client } = customer
    const before = await client.get<{ quota: number }>('/api/user/self')
    const order = { amount: 5, payment_method: 'every-point' }
    const { pay_link } = await client.post<{ pay_link: string }>('/api/user/pay', order)
    const trade = pay_link.replace('https://example.com/', '')
    const notify = async (word: string) => {
      const path = `/api/user/every-point/notify?word=${word}&trade_no=${trade}`
      return (await fetch(`${app.url}${path}`)).json()
    }
    expect([await notify('unpaid'), await notify('paid'), await notify('paid')]).toEqual([
      { isTaken: false },
      { isTaken: true },
      { isTaken: true },
    ])
    const after = await client.get<{ quota: number }>('/api/user/self')
    expect(after.quota - before.quota).toBe(2_500_000)
    await saw('paymentProviders start 10.00')
  },
  botChecks: async () => {
    // A browser that knows no admin.
    const { client } = customer
    expect(await client.call('GET', '/api/every-point/checked')).toMatchObject({ success: false })
    await client.get('/api/every-point/checked?turnstile=human')
    await saw('botChecks human')
  },
  optionActions: async () => {
    const body = { id: 'every-point', values: { EveryPointWord: 'typed' } }
    expect(await app.root.post('/api/option/action', body)).toMatchObject({ ok: true })
    await saw('optionActions typed')
  },
  rateLimiters: () => saw('rateLimiters'),
  relayHooks: async () => {
    await saw('relay.admit', 'relay.request', 'relay.send', 'relay.answer')
    await saw('relay.text content', 'relay.observe')
    const streamed = await fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'sample-model',
        stream: true,
        messages: [{ role: 'user', content: 'Hello' }],
      }),
    })
    await streamed.text()
    await saw('relay.event')
  },
  responseCaches: () => saw('responseCaches lookup 43', 'responseCaches store 43 true'),
  routingPolicies: () => saw('routingPolicies 2'),
  dialects: async () => {
    const response = await fetch(`${app.url}/every-point-api/word`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ word: 'Hello' }),
    })
    expect(await response.json()).toEqual({ text: expect.any(String) })
    await saw('dialects Hello')
  },
  logSinks: () => saw('logSinks 2 sample-model true'),
  taskPlatforms: async () => {
    const authorization = `Bearer ${customer.key}`
    expect(await status('/every-point/task/1', { authorization })).toBe(200)
    await saw('taskPlatforms')
  },
  cliCommands: async () => {
    await app.process.stop()
    const listed = await commandWithin(app.env, async (print) => {
      for (const { words } of await pluginCommands()) print(words.join(' '))
      return 0
    })
    expect(listed.output).toContain('every-point words\n')
    expect(await app.command('every-point', 'words', 'more')).toEqual({
      code: 3,
      output: 'migrated more\n',
    })
  },
  imports: async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'tollgate-import-'))
    const file = join(DATA_DIR, 'old.db')
    makeOldGateway(file, {
      sample_words: [
        { id: 1, word: 'taken' },
        { id: 2, word: '' },
      ],
    })
    const env = { ...app.env, DATA_DIR }
    await layMigratedFile(DATA_DIR)
    await commandWithin(env, (print) => switchPlugin('enable', ['every-point', '--yes'], print))
    const { code, output } = await commandWithin(env, (print) => runImport([file], print))
    expect(output).toContain('sample_words: 1\n')
    expect(output).toContain('sample_words: 1 left out, they are empty')
    expect(code).toBe(0)
    const database = new DatabaseSync(join(DATA_DIR, sqliteFileName), { readOnly: true })
    const words = database.prepare('SELECT word FROM every_point__words ORDER BY word').all()
    database.close()
    expect(words.map(({ word }) => word)).toEqual(['migrated', 'taken'])
    await rm(DATA_DIR, { recursive: true })
  },
}

describe('the sample plugin goes through', () => {
  it.each(Object.entries(points))('%s', (_name, goThrough) => goThrough())

  it('every registry of a generation', () => {
    // What the host and adapters fill: each adapter's own cases go through it.
    const ofAdapters = ['plugins', 'external', 'adapters', 'adapterList']
    const registries = Object.keys(new Contributions()).filter((name) => !ofAdapters.includes(name))
    expect(registries.length).toBeGreaterThan(10)
    expect(registries.filter((name) => !(name in points))).toEqual([])
  })

  it('every list that the contract names, each of which stands in the table for authors', () => {
    const read = (file: string) =>
      readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')
    const declared = [...read('core/contract/plugin.ts').matchAll(/^ {2}(\w+): Registry</gm)]
    const names = declared.map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(12)
    expect(names.filter((name) => !(name in points))).toEqual([])
    const rows = read('plugins/README.md')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
    expect(names.filter((name) => !rows.some((row) => row.includes(`\`${name}\``)))).toEqual([])
  })
})

describe('the events of the contract', () => {
  const repository = fileURLToPath(new URL('../../..', import.meta.url))
  const read = (file: string) => readFileSync(`${repository}/${file}`, 'utf8')

  it('are each emitted by somebody', () => {
    const declared = [...read('core/contract/events.ts').matchAll(/^ {2}'([\w.]+)': /gm)]
    const senders = globSync('{core,plugins}/**/*.ts', { cwd: repository })
      .filter((file) => !file.endsWith('.test.ts'))
      .map((file) => read(file).replaceAll(/\bon\('[\w.]+'/g, ''))
      .filter((text) => text.includes('.emit('))
    const names = declared.map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(10)
    const isSent = (name: string) => senders.some((text) => text.includes(`'${name}'`))
    expect(names.filter((name) => !isSent(name))).toEqual([])
  })
})
