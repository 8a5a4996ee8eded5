import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  balanceOf,
  type Customer,
  fakeUpstream,
  type FakeUpstream,
  startApp,
} from '#test'
import { createPostgres, databaseKinds } from '../../harness/databases.ts'
import { chat } from '../../harness/relay-call.ts'
import { tcpGate } from '../../harness/tcp-gate.ts'

interface Fault {
  env: Record<string, string>
  begin: (app: App) => void | Promise<void>
  end: (app: App) => void | Promise<void>
  close: () => Promise<void>
}

const metricsToken = 'metrics-of-the-test'
const nothing = () => Promise.resolve()

/** No file may grow: what the kernel says of a full disk, for one process and without privileges. */
function fullDisk(): Promise<Fault> {
  const limit = (app: App, bytes: string) => {
    const { status, stderr } = spawnSync('prlimit', [
      '--pid',
      String(app.process.pid),
      `--fsize=${bytes}:`,
    ])
    if (status !== 0) throw new Error(String(stderr))
  }
  return Promise.resolve({
    env: {},
    begin: (app) => limit(app, '4096'),
    end: (app) => limit(app, 'unlimited'),
    close: nothing,
  })
}

async function postgresAway(): Promise<Fault> {
  const database = await createPostgres()
  const url = new URL(database.settings.url ?? '')
  const gate = await tcpGate({ host: url.hostname, port: Number(url.port || 5432) })
  url.hostname = '127.0.0.1'
  url.port = String(gate.port)
  return {
    env: { DATABASE_URL: url.href },
    begin: gate.shut,
    end: gate.open,
    close: async () => {
      await gate.close()
      await database.close()
    },
  }
}

/** What PostgreSQL answers to every write of a table that cannot grow; a real full disk would stop the tests of others on the server. */
async function postgresFull(): Promise<Fault> {
  const { database, settings, close } = await createPostgres()
  const tables = ['users', 'tokens', 'nodes', 'leases', 'ledger_entries', 'logs']
  const each = async (sql: (table: string) => string) => {
    for (const table of tables) await database.run(sql(table))
  }
  await database.run(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`)
  return {
    env: { DATABASE_URL: settings.url ?? '' },
    begin: () =>
      each(
        (table) => `CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON ${table}
          FOR EACH STATEMENT EXECUTE FUNCTION full_disk()`,
      ),
    end: () => each((table) => `DROP TRIGGER full_disk ON ${table}`),
    close,
  }
}

const hasPostgres = databaseKinds.some(({ name }) => name === 'PostgreSQL')
const hasLimits = spawnSync('prlimit', ['--version']).status === 0
const faults = [
  ...(hasLimits ? [{ name: 'the disk of SQLite is full', make: fullDisk }] : []),
  ...(hasPostgres
    ? [
        { name: 'PostgreSQL is away', make: postgresAway },
        { name: 'PostgreSQL is full', make: postgresFull },
      ]
    : []),
]

describe.each(faults)('a gateway while $name', ({ make }) => {
  let fault: Fault
  let upstream: FakeUpstream
  let app: App
  let ada: Customer
  /** Has not called: nothing is known of the key but in the database, as of any key after half a minute. */
  let bob: Customer

  beforeAll(async () => {
    fault = await make()
    upstream = await fakeUpstream()
    app = await startApp({ env: { ...fault.env, METRICS_TOKEN: metricsToken } })
    const prices = { key: 'ModelPrice', value: JSON.stringify({ 'per-call': 0.002 }) }
    await app.root.put('/api/option/', prices)
    await addChannel(app.root, { base_url: upstream.url, models: 'per-call' })
    ada = await addCustomer(app.root, 'ada', 1_000_000)
    bob = await addCustomer(app.root, 'bob', 1_000_000)
  })

  afterAll(async () => {
    await app.close()
    await upstream.close()
    await fault.close()
  })

  const call = () => chat({ url: app.url, key: ada.key, model: 'per-call' })
  const isAway = async () => {
    const headers = { authorization: `Bearer ${metricsToken}` }
    const text = await (await fetch(`${app.url}/metrics`, { headers })).text()
    return text.includes('tollgate_database_away 1')
  }
  const readiness = async () => (await fetch(`${app.url}/readyz`)).status

  it('refuses calls at once, charges the one under way once, and serves again by itself', async () => {
    expect((await call()).status).toBe(200)
    await fault.begin(app)
    // Its lease is in memory: it goes upstream, and its charge waits for the database.
    const underWay = call()
    // Not before: a call that is let in until then is one of those under way.
    await vi.waitFor(async () => expect(await isAway()).toBe(true), { timeout: 10_000 })
    await vi.waitFor(async () => expect(await readiness()).toBe(503), { timeout: 10_000 })
    const { callCount } = upstream
    const beganAtMs = performance.now()
    const refused = await Promise.all(
      [
        ['/v1/chat/completions', { authorization: `Bearer ${ada.key}` }] as const,
        ['/v1/chat/completions', { authorization: `Bearer ${bob.key}` }] as const,
        ['/v1/messages', { 'x-api-key': ada.key, 'anthropic-version': '2023-06-01' }] as const,
      ].map(([path, headers]) =>
        fetch(app.url + path, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({
            model: 'per-call',
            max_tokens: 10,
            messages: [{ role: 'user', content: 'Hi' }],
          }),
        }),
      ),
    )
    expect(performance.now() - beganAtMs).toBeLessThan(2_000)
    expect(refused.map(({ status }) => status)).toEqual([503, 503, 503])
    for (const { headers } of refused) expect(headers.get('retry-after')).toMatch(/^\d+$/)
    const [openai, unknown, anthropic] = await Promise.all(refused.map((answer) => answer.json()))
    for (const told of [openai, unknown])
      expect(told).toMatchObject({ error: { code: 'database_away', type: 'server_error' } })
    expect(anthropic).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } })
    expect(upstream.callCount).toBe(callCount)
    const edit = await app.root.call('PUT', '/api/user/', { id: ada.id, quota: 5 })
    expect(edit).toMatchObject({ status: 503, success: false, code: 'server.database_away' })
    await fault.end(app)
    expect((await underWay).status).toBe(200)
    await vi.waitFor(async () => expect(await readiness()).toBe(200), { timeout: 10_000 })
    expect((await call()).status).toBe(200)
    await vi.waitFor(async () => expect(await balanceOf(ada)).toBe(1_000_000 - 3_000))
    const { code, output } = await app.command('ledger', 'verify')
    expect({ code, output }).toMatchObject({ code: 0 })
  })
})
