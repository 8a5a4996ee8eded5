// PostgreSQL that answers no more and closes nothing: a frozen machine, a network that drops packets.
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { addCustomer, type Customer } from '#test'
import { expectChargedOnce } from '../../harness/books.ts'
import { callShop, perCall } from '../../harness/call-shop.ts'
import { createPostgres, hasPostgres, type TestDatabase } from '../../harness/databases.ts'
import type { SeenAnswer } from '../../harness/relay-call.ts'
import { gateTo } from '../../harness/faults/tcp-gate.ts'

const { model, units } = perCall
const balance = 100_000_000
/** What the docs promise of any question. */
const longestMs = 12_000
/** With SHUTDOWN_SECONDS of these tests; what starts gateways kills one after thirty seconds. */
const longestStopMs = 30_000
const eventually = { timeout: 30_000, interval: 100 }

describe.runIf(hasPostgres)('a gateway whose PostgreSQL goes silent', () => {
  let test: TestDatabase
  let gate: Awaited<ReturnType<typeof gateTo>>
  const shop = callShop({
    env: async () => {
      test = await createPostgres()
      gate = await gateTo(test.settings.url ?? '')
      return { DATABASE_URL: gate.url, SHUTDOWN_SECONDS: '3' }
    },
    upstream: { delayMs: 10 },
    finish: async () => {
      await gate.close()
      await test.close()
    },
  })

  afterEach(() => gate.open())
  afterAll(() => gate.open())

  const serves = (customer: Customer) =>
    vi.waitFor(async () => {
      expect((await fetch(`${shop.app.url}/readyz`)).status).toBe(200)
      expect((await shop.call(customer)).status).toBe(200)
    }, eventually)

  async function timed<T>(work: Promise<T>, limitMs = longestMs): Promise<T> {
    const beganMs = performance.now()
    const result = await work
    expect(performance.now() - beganMs).toBeLessThan(limitMs)
    return result
  }

  async function expectExact(customer: Customer, answers: readonly SeenAnswer[]): Promise<void> {
    await serves(customer)
    await expectChargedOnce(shop.app, customer, answers, { units, balance })
  }

  const dialects = (key: string) => {
    const messages = [{ role: 'user', content: 'Hi' }]
    const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
    const bearer = { authorization: `Bearer ${key}` }
    return [
      ['/v1/chat/completions', bearer, { messages }],
      ['/v1/responses', bearer, { input: 'Hi' }],
      ['/v1/messages', { 'x-api-key': key }, { messages, max_tokens: 10 }],
      [`/v1beta/models/${model}:generateContent`, { 'x-goog-api-key': key }, { contents }],
    ] as const
  }

  const asked = (key: string) =>
    Promise.all(
      dialects(key).map(async ([path, headers, body]) => {
        const answer = await fetch(shop.app.url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ model, ...body }),
        })
        const answered: unknown = await answer.json()
        return { status: answer.status, retryAfter: answer.headers.get('retry-after'), answered }
      }),
    )

  it('tells all who ask within ten seconds, each in its dialect, and serves again by itself', async () => {
    const ada = await addCustomer(shop.app.root, 'ada', balance)
    const bob = await addCustomer(shop.app.root, 'bob', balance)
    await serves(ada)
    gate.hold()
    const underWay = shop.call(ada)
    // Nothing is known of bob's key but in the database.
    const [calls, edit, list] = await timed(
      Promise.all([
        asked(bob.key),
        shop.app.root.call('PUT', '/api/user/', { id: ada.id, quota: 5 }),
        shop.app.root.call('GET', '/api/log/'),
      ]),
    )
    expect(calls.map(({ status }) => status)).toEqual([503, 503, 503, 503])
    for (const { retryAfter } of calls) expect(retryAfter).toMatch(/^\d+$/)
    expect(calls.map(({ answered }) => answered)).toMatchObject([
      { error: { code: 'database_away' } },
      { error: { code: 'database_away' } },
      { type: 'error', error: { type: 'overloaded_error' } },
      { error: { code: 503, status: 'UNAVAILABLE' } },
    ])
    expect(edit).toMatchObject({ status: 503, code: 'server.database_away' })
    expect(list).toMatchObject({ status: 503, code: 'server.database_away' })
    // Known by now: nobody waits any more.
    const beganMs = performance.now()
    expect((await asked(ada.key)).map(({ status }) => status)).toEqual([503, 503, 503, 503])
    expect((await fetch(`${shop.app.url}/readyz`)).status).toBe(503)
    expect(performance.now() - beganMs).toBeLessThan(1_000)
    expect((await timed(underWay)).status).toBe(200)
    gate.open()
    await expectExact(ada, [await underWay])
    await shop.app.root.put('/api/option/', { key: 'SystemName', value: 'Back' })
    const said = shop.app.process.log()
    expect(said.match(/PostgreSQL does not answer: its connections are cut/g)).toHaveLength(1)
    expect(said.match(/PostgreSQL answers again/g)).toHaveLength(1)
  }, 90_000)

  it.each(['everything', 'answers'] as const)(
    'charges each answer once where it holds %s under load, for long and for short',
    async (what) => {
      const customer = await addCustomer(shop.app.root, `load-${what}`, balance)
      await serves(customer)
      const load = shop.load(customer, 6)
      for (const ms of [300, 7_000, 3_000, 15_000]) {
        const before = shop.upstream.callCount
        await vi.waitFor(
          () => expect(shop.upstream.callCount).toBeGreaterThan(before + 30),
          eventually,
        )
        gate.hold(what)
        await new Promise((resolve) => setTimeout(resolve, ms))
        gate.open()
      }
      const before = shop.upstream.callCount
      await vi.waitFor(
        () => expect(shop.upstream.callCount).toBeGreaterThan(before + 30),
        eventually,
      )
      const answers = await load.stop()
      expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
      await expectExact(customer, answers)
    },
    150_000,
  )

  it('stops within its time while nothing answers', async () => {
    gate.hold()
    await timed(shop.app.process.stop(), longestStopMs)
    gate.open()
    await shop.app.restart()
    await serves(await addCustomer(shop.app.root, 'after', balance))
  }, 90_000)
})
