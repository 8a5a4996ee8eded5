import { setImmediate as turn } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { quietLog } from '../../test/harness/quiet-log.ts'
import { createRedis, hasRedis, type TestRedis } from '../../test/harness/redis.ts'
import { tcpGate } from '../../test/harness/faults/tcp-gate.ts'
import { redisPlace } from '../cluster/redis-place.ts'
import { MemoryWindows } from './memory-windows.ts'
import { type CommonWindows, createRateLimits } from './rate-limits.ts'

type Limits = ReturnType<typeof createRateLimits>

function inMemory(now = () => 0): Limits {
  const limits = createRateLimits({ redis: undefined, now })
  onTestFinished(() => limits.close())
  return limits
}

async function startRedis(): Promise<TestRedis> {
  const redis = await createRedis()
  onTestFinished(() => redis.close())
  return redis
}

/** A node of a cluster. */
async function nodeOn({ url }: Pick<TestRedis, 'url'>, installation = 'one'): Promise<Limits> {
  const limits = createRateLimits({ redis: await redisPlace(url, installation) })
  onTestFinished(() => limits.close())
  return limits
}

/** Both nodes have their connection when one sees what the other takes. */
async function untilShared(one: Limits, other: Limits): Promise<void> {
  for (let round = 0; ; round += 1) {
    await one.take(`probe${round}`, 1, 60)
    if (!(await other.peek(`probe${round}`, 1, 60)).isAllowed) return
    await turn()
  }
}

async function takeTimes(limits: Limits, times: number, key = 'k', limit = 3): Promise<number> {
  const verdicts = await Promise.all(
    Array.from({ length: times }, () => limits.take(key, limit, 60)),
  )
  return verdicts.filter((verdict) => verdict.isAllowed).length
}

describe('a limit that several processes of one machine count together', () => {
  it('is one for all, and each counts by itself while nobody answers', async () => {
    let now = 0
    const together = new MemoryWindows(() => (now += 1))
    let isAnswering = true
    const common: CommonWindows = {
      judge: async (...question) => (isAnswering ? together.judge(...question) : undefined),
      giveBack: (...place) => together.giveBack(...place),
    }
    const one = createRateLimits({ redis: undefined, common })
    const other = createRateLimits({ redis: undefined, common })
    onTestFinished(() => one.close())
    onTestFinished(() => other.close())
    expect((await takeTimes(one, 2)) + (await takeTimes(other, 5))).toBe(3)
    await other.giveBack('k')
    expect(await takeTimes(one, 5)).toBe(1)
    const { place } = await one.take('own', 1, 60)
    isAnswering = false
    expect(await takeTimes(one, 5)).toBe(3)
    await one.take('own', 1, 60)
    await one.giveBack('own', place)
    expect((await one.peek('own', 1, 60)).isAllowed).toBe(false)
    isAnswering = true
    expect((await one.peek('own', 1, 60)).isAllowed).toBe(true)
  })
})

describe('a limit counted in memory', () => {
  it('lets through as many as the limit, and each key for itself', async () => {
    const limits = inMemory()
    expect(await takeTimes(limits, 10, 'one')).toBe(3)
    expect(await takeTimes(limits, 10, 'other')).toBe(3)
  })

  it('slides: a place is free when the oldest one leaves, and refusals do not extend it', async () => {
    let now = 0
    const limits = inMemory(() => now)
    for (const time of [0, 20_000, 30_000]) {
      now = time
      expect(await limits.take('k', 3, 60)).toMatchObject({ isAllowed: true, retryAfterSeconds: 0 })
    }
    now = 45_500
    expect(await limits.take('k', 3, 60)).toEqual({ isAllowed: false, retryAfterSeconds: 15 })
    now = 60_000
    expect((await limits.take('k', 3, 60)).isAllowed).toBe(true)
    expect(await limits.take('k', 3, 60)).toEqual({ isAllowed: false, retryAfterSeconds: 20 })
  })

  it('lets nobody through where it is 0', async () => {
    expect(await takeTimes(inMemory(), 2, 'k', 0)).toBe(0)
  })

  it('looks without counting', async () => {
    const limits = inMemory()
    for (let round = 0; round < 5; round += 1) {
      expect((await limits.peek('k', 1, 60)).isAllowed).toBe(true)
    }
    await limits.take('k', 1, 60)
    expect(await limits.peek('k', 1, 60)).toEqual({ isAllowed: false, retryAfterSeconds: 60 })
  })

  it('takes back the newest one', async () => {
    const limits = inMemory()
    await limits.giveBack('k')
    expect(await takeTimes(limits, 4)).toBe(3)
    await limits.giveBack('k')
    expect(await takeTimes(limits, 4)).toBe(1)
  })

  it('takes back the call of a place, once, whatever came after it', async () => {
    let now = 0
    const limits = inMemory(() => now)
    const at = async (time: number) => {
      now = time
      return limits.take('k', 2, 60)
    }
    const [first, second] = [await at(0), await at(50_000)]
    await limits.giveBack('k', first.place)
    await limits.giveBack('k', first.place)
    expect((await at(51_000)).isAllowed).toBe(true)
    // The place of the second is kept for its whole time.
    expect(await at(61_000)).toEqual({ isAllowed: false, retryAfterSeconds: 49 })
    await limits.giveBack('k', second.place)
    expect((await at(61_000)).isAllowed).toBe(true)
  })

  it('obeys a limit that was changed in between', async () => {
    const limits = inMemory()
    expect(await takeTimes(limits, 5, 'k', 5)).toBe(5)
    expect(await takeTimes(limits, 1, 'k', 2)).toBe(0)
    expect(await takeTimes(limits, 5, 'k', 6)).toBe(1)
    expect(await takeTimes(limits, 1, 'none', 0)).toBe(0)
  })

  it('stays bounded under any number of keys', async () => {
    const limits = inMemory()
    await limits.take('first', 1, 60)
    for (let index = 0; index < 20_000; index += 1) await limits.take(`key${index}`, 1, 60)
    expect((await limits.peek('first', 1, 60)).isAllowed).toBe(true)
    expect((await limits.peek('key19999', 1, 60)).isAllowed).toBe(false)
  })
})

describe.skipIf(!hasRedis)('a limit counted in Redis', () => {
  it('is that of one installation, whoever else counts there', async () => {
    const redis = await startRedis()
    const [one, two, other] = [
      await nodeOn(redis),
      await nodeOn(redis),
      await nodeOn(redis, 'other'),
    ]
    await untilShared(one, two)
    await untilShared(other, await nodeOn(redis, 'other'))
    expect(await takeTimes(one, 4)).toBe(3)
    expect(await takeTimes(other, 4)).toBe(3)
    await other.giveBack('k')
    expect(await takeTimes(two, 1)).toBe(0)
  })

  it('is one for all nodes', async () => {
    const redis = await startRedis()
    const [one, other] = [await nodeOn(redis), await nodeOn(redis)]
    await untilShared(one, other)
    const through = await Promise.all([takeTimes(one, 10), takeTimes(other, 10)])
    expect(through[0] + through[1]).toBe(3)
    const refused = await other.peek('k', 3, 60)
    expect(refused.isAllowed).toBe(false)
    expect(refused.retryAfterSeconds).toBeGreaterThan(55)
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(60)
  })

  it('lets nobody through where it is 0', async () => {
    const redis = await startRedis()
    const [one, other] = [await nodeOn(redis), await nodeOn(redis)]
    await untilShared(one, other)
    expect(await takeTimes(one, 2, 'k', 0)).toBe(0)
  })

  it('lets nobody wait for a time to come again where the clock of Redis was set back', async () => {
    const redis = await startRedis()
    const limits = await nodeOn(redis)
    await untilShared(limits, await nodeOn(redis))
    const client = new Redis(redis.url)
    const inAnHour = String(Date.now() + 3_600_000)
    await client.lpush('tollgate:one:rateLimit:k', inAnHour, inAnHour, inAnHour)
    client.disconnect()
    expect(await takeTimes(limits, 5)).toBe(3)
  })

  it('is given back for all nodes', async () => {
    const redis = await startRedis()
    const [one, other] = [await nodeOn(redis), await nodeOn(redis)]
    await untilShared(one, other)
    expect(await takeTimes(one, 4)).toBe(3)
    await other.giveBack('k')
    expect(await takeTimes(one, 4)).toBe(1)
  })

  it('is given back by its place, where it was counted', async () => {
    const redis = await startRedis()
    const [one, other] = [await nodeOn(redis), await nodeOn(redis)]
    await untilShared(one, other)
    const client = new Redis(redis.url)
    const { place } = await one.take('k', 3, 60)
    // A millisecond later, so that it has a place of its own.
    await client.lpush('tollgate:one:rateLimit:k', String(Date.now() + 1_000))
    const times = await client.lrange('tollgate:one:rateLimit:k', 0, -1)
    await other.giveBack('k', place)
    await other.giveBack('k', place)
    expect(await client.lrange('tollgate:one:rateLimit:k', 0, -1)).toEqual(times.slice(0, 1))
    client.disconnect()
    const { place: shared } = await one.take('away', 1, 60)
    await redis.stop()
    const { place: own } = await one.take('away', 1, 60)
    await one.giveBack('away', shared)
    expect((await one.peek('away', 1, 60)).isAllowed).toBe(false)
    await one.giveBack('away', own)
    expect((await one.peek('away', 1, 60)).isAllowed).toBe(true)
  })

  it('goes on counting on each node while Redis is away', async () => {
    const redis = await startRedis()
    const [one, other] = [await nodeOn(redis), await nodeOn(redis)]
    await untilShared(one, other)
    await redis.stop()
    expect(await takeTimes(one, 10)).toBe(3)
    expect(await takeTimes(other, 10)).toBe(3)
    await redis.start()
    await untilShared(one, other)
    expect(await takeTimes(one, 10)).toBe(3)
    expect(await takeTimes(other, 10)).toBe(0)
  })

  it('counts on each node, and says so once, where Redis forbids it', async () => {
    const redis = await startRedis()
    const admin = new Redis(redis.url)
    await admin.call('ACL', 'SETUSER', 'gateway', 'on', '>secret', '~*', '+@all', '-eval')
    admin.disconnect()
    const gate = await tcpGate({ path: redis.url })
    onTestFinished(() => gate.close())
    const logged: string[] = []
    const limits = createRateLimits({
      redis: await redisPlace(`redis://gateway:secret@127.0.0.1:${gate.port}`, 'one'),
      log: { ...quietLog, warn: (_fields, words) => void logged.push(words ?? '') },
    })
    onTestFinished(() => limits.close())
    const loggedAfterACall = async () => {
      await limits.take('probe', 1, 60)
      return logged
    }
    const words = 'Redis refuses to count; rate limits count here'
    await expect.poll(loggedAfterACall).toEqual([words])
    expect(await takeTimes(limits, 10)).toBe(3)
    expect(logged).toEqual([words])
  })

  it('waits once, and not at each call, for a Redis that is frozen', async () => {
    const redis = await startRedis()
    // The server of the tests listens on a file.
    const gate = await tcpGate({ path: redis.url })
    onTestFinished(() => gate.close())
    const limits = await nodeOn({ url: `redis://127.0.0.1:${gate.port}` })
    await untilShared(limits, await nodeOn(redis))
    gate.hold()
    await takeTimes(limits, 4)
    for (let call = 0; call < 20; call += 1) {
      const counted = limits.take(`call${call}`, 3, 60).then(() => 'counted')
      // What is counted here needs nothing that the event loop has to bring.
      expect(await Promise.race([counted, turn('waits')])).toBe('counted')
    }
    gate.open()
    await untilShared(limits, await nodeOn(redis))
  })
})
