// Two gateways on one PostgreSQL, with and without Redis: what is changed on one holds on the other within a second.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addCustomer, type App, fakeUpstream, type FakeUpstream, startApp } from '#test'
import { expectSoundBooks } from '../../harness/books.ts'
import { perCall } from '../../harness/call-shop.ts'
import { createPostgres, hasPostgres, type TestDatabase } from '../../harness/databases.ts'
import { createRedis, hasRedis, type TestRedis } from '../../harness/redis.ts'
import { chat } from '../../harness/relay-call.ts'
import { tcpGate, type TcpGate } from '../../harness/faults/tcp-gate.ts'
import { becomes, commonTruths, furnish, leaderCount, said, type Stage } from './common-truth.ts'

const { model } = perCall
/** A dead node is looked for every ten seconds. */
const nextSweep = { timeout: 25_000, interval: 100 }

describe.runIf(hasPostgres).each([
  { bus: 'PostgreSQL alone', isWithRedis: false },
  { bus: 'Redis', isWithRedis: true },
])('two gateways that talk over $bus', ({ isWithRedis }) => {
  let test: TestDatabase
  let redis: { server: TestRedis; gate: TcpGate } | undefined
  let upstream: FakeUpstream
  let here: App
  let there: App
  let stage: Stage
  let env: Record<string, string>

  beforeAll(async () => {
    test = await createPostgres()
    if (isWithRedis && hasRedis) {
      const server = await createRedis()
      redis = { server, gate: await tcpGate({ path: server.url }) }
    }
    upstream = await fakeUpstream()
    env = {
      DATABASE_URL: test.settings.url ?? '',
      TASK_POLL_SECONDS: '1',
      SECRET_KEY: 'two gateways of one mind, 32 long',
      ...(redis ? { REDIS_URL: `redis://127.0.0.1:${redis.gate.port}` } : {}),
    }
    here = await startApp({ env })
    await furnish({ here, upstream })
    there = await startApp({ env, isSetUp: false })
    stage = { here, thereUrl: there.url, upstream }
  })

  afterAll(async () => {
    try {
      await expectSoundBooks(here)
    } finally {
      await there.close()
      await here.close()
      await redis?.gate.close()
      await redis?.server.close()
      await upstream.close()
      await test.close()
    }
  })

  it.each(commonTruths)('know of $what within $withinMs ms', async ({ lay, withinMs }) => {
    const { change, look, before, after } = await lay(stage)
    expect(await look()).toBe(before)
    await change()
    expect(await becomes(() => said(look, 5), after, withinMs)).toEqual([after])
  })

  // Without Redis each counts by itself.
  if (isWithRedis)
    it.runIf(hasRedis)('count the calls of one user together', async () => {
      const limits = { Enabled: 'true', Count: '6', SuccessCount: '1000', DurationMinutes: '1' }
      for (const [name, value] of Object.entries(limits))
        await here.root.put('/api/option/', { key: `ModelRequestRateLimit${name}`, value })
      const { key } = await addCustomer(here.root, 'hasty', 1_000_000)
      const statuses: number[] = []
      for (let turn = 0; turn < 10; turn += 1) {
        const { url } = turn % 2 === 0 ? here : there
        statuses.push((await chat({ url, key, model })).status)
      }
      expect(statuses.filter((status) => status === 200)).toHaveLength(6)
      expect(statuses.slice(6)).toEqual([429, 429, 429, 429])
      await here.root.put('/api/option/', { key: 'ModelRequestRateLimitEnabled', value: 'false' })
    })

  it('have one among them that runs the jobs, also when the other is killed', async () => {
    const leaders = () => leaderCount(test.database)
    await vi.waitFor(async () => expect(await leaders()).toBe(1), nextSweep)
    await there.process.kill()
    await vi.waitFor(async () => expect(await leaders()).toBe(1), nextSweep)
    await there.close()
    there = await startApp({ env, isSetUp: false })
  })

  it('give back what a killed one had taken of a balance', async () => {
    const { key, id } = await addCustomer(here.root, 'of-the-killed', 1_000_000)
    expect((await chat({ url: there.url, key, model })).status).toBe(200)
    const leased = async () =>
      (
        await test.database.select<{ leased: number }>('SELECT leased FROM users WHERE id = :id', {
          id,
        })
      )[0]?.leased
    expect(await leased()).toBeGreaterThan(0)
    await there.process.kill()
    await vi.waitFor(async () => expect(await leased()).toBe(0), nextSweep)
    expect((await chat({ url: here.url, key, model })).status).toBe(200)
  })
})
