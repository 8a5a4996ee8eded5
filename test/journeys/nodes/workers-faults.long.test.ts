// WORKERS=2 with Redis: what a port of two processes makes of the faults that one process is tested with.
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { addCustomer, type Customer } from '#test'
import { expectChargedOnce } from '../../harness/books.ts'
import { callShop, perCall } from '../../harness/call-shop.ts'
import { createPostgres, hasPostgres, type TestDatabase } from '../../harness/databases.ts'
import { gateTo, tcpGate, type TcpGate } from '../../harness/faults/tcp-gate.ts'
import { createRedis, hasRedis, type TestRedis } from '../../harness/redis.ts'
import { workerProcesses } from './worker-processes.ts'

const { units } = perCall
const balance = 100_000_000
const eventually = { timeout: 40_000, interval: 100 }

describe.runIf(hasPostgres && hasRedis)('a port of two workers with Redis', () => {
  let test: TestDatabase
  let redis: TestRedis
  let postgresGate: Awaited<ReturnType<typeof gateTo>>
  let redisGate: TcpGate
  const shop = callShop({
    env: async () => {
      test = await createPostgres()
      redis = await createRedis()
      postgresGate = await gateTo(test.settings.url ?? '')
      redisGate = await tcpGate({ path: redis.url })
      return {
        DATABASE_URL: postgresGate.url,
        REDIS_URL: `redis://127.0.0.1:${redisGate.port}`,
        WORKERS: '2',
        SHUTDOWN_SECONDS: '5',
      }
    },
    upstream: { delayMs: 10 },
    finish: async () => {
      await postgresGate.close()
      await redisGate.close()
      await redis.close()
      await test.close()
    },
  })

  afterEach(() => {
    postgresGate.open()
    redisGate.open()
  })

  let customers = 0

  const aWorker = async (): Promise<number> => {
    const [pid] = await workerProcesses(shop.app)
    if (pid === undefined) throw new Error('no worker is told of')
    return pid
  }

  const calmly = async (customer: Customer): Promise<void> => {
    await vi.waitFor(async () => {
      expect(await workerProcesses(shop.app)).toHaveLength(2)
      expect((await shop.call(customer)).status).toBe(200)
    }, eventually)
  }

  const faults: { what: string; statuses: number[]; make: () => Promise<void> }[] = [
    {
      what: 'Redis is cut off for a while',
      statuses: [200],
      make: async () => {
        redisGate.shut()
        await wait(5_000)
        redisGate.open()
      },
    },
    {
      what: 'Redis goes silent',
      statuses: [200],
      make: async () => {
        redisGate.hold()
        await wait(8_000)
        redisGate.open()
      },
    },
    {
      what: 'Redis loses all it had',
      statuses: [200],
      make: async () => {
        await redis.stop()
        await wait(1_000)
        await redis.start()
      },
    },
    {
      what: 'PostgreSQL is cut off for a while',
      statuses: [200, 503],
      make: async () => {
        postgresGate.shut()
        await wait(6_000)
        postgresGate.open()
      },
    },
    {
      what: 'PostgreSQL and Redis go silent together',
      statuses: [200, 503],
      make: async () => {
        postgresGate.hold()
        redisGate.hold()
        await wait(15_000)
        redisGate.open()
        postgresGate.open()
      },
    },
    {
      what: 'one worker is killed while Redis is away',
      statuses: [0, 200, 503],
      make: async () => {
        const pid = await aWorker()
        redisGate.shut()
        process.kill(pid, 'SIGKILL')
        await wait(3_000)
        redisGate.open()
      },
    },
    {
      what: 'one worker stands still for half a minute',
      statuses: [200],
      make: async () => {
        const pid = await aWorker()
        process.kill(pid, 'SIGSTOP')
        await wait(30_000)
        process.kill(pid, 'SIGCONT')
      },
    },
  ]

  it.each(faults)(
    'charges each answer once where $what',
    async ({ statuses, make }) => {
      const customer = await addCustomer(shop.app.root, `ada-${(customers += 1)}`, balance)
      await calmly(customer)
      const before = shop.upstream.callCount
      const load = shop.load(customer, 6)
      const served = (more: number) =>
        vi.waitFor(() => expect(shop.upstream.callCount).toBeGreaterThan(before + more), eventually)
      await served(30)
      await make()
      const then = shop.upstream.callCount - before
      await served(then + 60)
      const answers = await load.stop()
      const others = answers.filter(({ status }) => !statuses.includes(status))
      expect(others).toEqual([])
      await calmly(customer)
      await expectChargedOnce(shop.app, customer, answers, { units, balance })
    },
    150_000,
  )
})
