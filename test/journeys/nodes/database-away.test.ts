// The database is away, or full: calls are refused at once, those under way are charged once, and all goes on by itself.
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { addCustomer, type App, balanceOf, type Customer } from '#test'
import { expectSoundBooks } from '../../harness/books.ts'
import { callShop, perCall } from '../../harness/call-shop.ts'
import { createPostgres, hasPostgres } from '../../harness/databases.ts'
import { canFillDisk, fillDisk, freeDisk } from '../../harness/faults/full-disk.ts'
import { metric, metricsToken } from '../../harness/metrics-reader.ts'
import { gateTo } from '../../harness/faults/tcp-gate.ts'

const balance = 1_000_000

interface Fault {
  env: Record<string, string>
  begin: (app: App) => void | Promise<void>
  end: (app: App) => void | Promise<void>
  close: () => Promise<void>
}

const diskFull: Fault = { env: {}, begin: fillDisk, end: freeDisk, close: () => Promise.resolve() }

async function postgresAway(): Promise<Fault> {
  const database = await createPostgres()
  const gate = await gateTo(database.settings.url ?? '')
  return {
    env: { DATABASE_URL: gate.url },
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

const faults = [
  ...(canFillDisk
    ? [
        {
          name: 'the disk of SQLite is full',
          make: () => Promise.resolve(diskFull),
          isWithin: false,
        },
      ]
    : []),
  ...(hasPostgres
    ? [
        { name: 'PostgreSQL is away', make: postgresAway, isWithin: true },
        { name: 'PostgreSQL is full', make: postgresFull, isWithin: true },
      ]
    : []),
]

describe.each(faults)('a gateway while $name', ({ make, isWithin }) => {
  let fault: Fault
  let ada: Customer
  /** Has not called: nothing is known of the key but in the database, as of any key after half a minute. */
  let bob: Customer
  const shop = callShop({
    isWithin,
    env: async () => {
      fault = await make()
      return { ...fault.env, METRICS_TOKEN: metricsToken }
    },
    finish: () => fault.close(),
  })

  beforeAll(async () => {
    ada = await addCustomer(shop.app.root, 'ada', balance)
    bob = await addCustomer(shop.app.root, 'bob', balance)
  })

  const call = () => shop.call(ada)
  const askInThreeWays = () =>
    Promise.all(
      [
        ['/v1/chat/completions', { authorization: `Bearer ${ada.key}` }] as const,
        ['/v1/chat/completions', { authorization: `Bearer ${bob.key}` }] as const,
        ['/v1/messages', { 'x-api-key': ada.key, 'anthropic-version': '2023-06-01' }] as const,
      ].map(([path, headers]) =>
        fetch(shop.app.url + path, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({
            model: perCall.model,
            max_tokens: 10,
            messages: [{ role: 'user', content: 'Hi' }],
          }),
        }),
      ),
    )
  const isAway = async () => (await metric(shop.app, 'tollgate_database_away')) === 1
  const readiness = async () => (await fetch(`${shop.app.url}/readyz`)).status

  it('refuses calls at once, charges the one under way once, and serves again by itself', async () => {
    expect((await call()).status).toBe(200)
    await fault.begin(shop.app)
    // Its lease is in memory: it goes upstream, and its charge waits for the database.
    const underWay = call()
    // Not before: a call that is let in until then is one of those under way.
    await expect.poll(isAway).toBe(true)
    await expect.poll(readiness).toBe(503)
    const { callCount } = shop.upstream
    // A call that asks the database waits five seconds and more, each time; on a busy machine a quick one is slow now and then.
    const refused = await vi.waitFor(
      async () => {
        const beganAtMs = performance.now()
        const answers = await askInThreeWays()
        expect(performance.now() - beganAtMs).toBeLessThan(4_000)
        return answers
      },
      { timeout: 60_000 },
    )
    expect(refused.map(({ status }) => status)).toEqual([503, 503, 503])
    for (const { headers } of refused) expect(headers.get('retry-after')).toMatch(/^\d+$/)
    const [openai, unknown, anthropic] = await Promise.all(refused.map((answer) => answer.json()))
    for (const answer of [openai, unknown])
      expect(answer).toMatchObject({ error: { code: 'database_away', type: 'server_error' } })
    expect(anthropic).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } })
    expect(shop.upstream.callCount).toBe(callCount)
    const edit = await shop.app.root.call('PUT', '/api/user/', { id: ada.id, quota: 5 })
    expect(edit).toMatchObject({ status: 503, success: false, code: 'server.database_away' })
    await fault.end(shop.app)
    expect((await underWay).status).toBe(200)
    await expect.poll(readiness).toBe(200)
    expect((await call()).status).toBe(200)
    await expect.poll(() => balanceOf(ada)).toBe(balance - 3 * perCall.units)
    await expectSoundBooks(shop.app)
  })
})
