import type { Redis } from 'ioredis'
import type { Logger, RateLimitService } from '../contract/services.ts'
import { MemoryWindows, type Verdict } from './memory-windows.ts'
import type { RedisPlace } from '../cluster/redis-place.ts'
import { logOutages } from '../cluster/redis-outage.ts'
import { atMostEvery } from '../kernel/at-most-every.ts'

type Question = [key: string, limit: number, windowSeconds: number, isCounted: boolean]
type Judge = (...question: Question) => Counted | Promise<Counted>
type Taken = Awaited<ReturnType<RateLimitService['take']>>

/** Where a call was counted: here, with the other workers of this machine, or in Redis. */
type Counter = 'here' | 'together' | 'redis'

interface Counted extends Verdict {
  by: Counter
}

/** The list is sorted newest first, so the entry at `limit - 1` is the one that must leave the window. Uses Redis's
 *  clock for all nodes; a time far ahead of it was noted before that was set back. KEYS: the list. ARGV: limit, window in ms,
 *  1 to count. Returns the milliseconds to wait or 0, and the time that was noted. */
const windowScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local blocking = redis.call('LINDEX', KEYS[1], limit - 1)
if blocking and math.abs(now - blocking) < window then return {blocking + window - now, 0} end
if ARGV[3] == '1' then
  redis.call('LPUSH', KEYS[1], now)
  redis.call('LTRIM', KEYS[1], 0, limit - 1)
  redis.call('PEXPIRE', KEYS[1], window)
end
return {0, now}`

const redisTimeoutMs = 1_000
/** Time between two log lines about a Redis that refuses. */
const logEveryMs = 60_000

/** Windows in which several processes of one machine count together. */
export interface CommonWindows {
  /** Undefined if nobody answers. */
  judge(...question: Question): Promise<Verdict | undefined>
  giveBack(key: string, at?: number): void
}

/** Counts requests for all nodes in Redis, or in this process together with the workers beside it. While Redis does not
 *  answer, each node counts by itself, so an outage neither removes the limits nor blocks all requests. */
export function createRateLimits(dependencies: {
  redis: RedisPlace | undefined
  log?: Logger
  common?: CommonWindows | undefined
  /** Milliseconds of a clock that never goes back. */
  now?: () => number
}): RateLimitService & { close(): Promise<void> } {
  const windows = new MemoryWindows(dependencies.now ?? (() => performance.now()))
  const { common } = dependencies
  const alone: Judge = (...question) => ({ ...windows.judge(...question), by: 'here' })
  const inMemory = common === undefined ? alone : commonFirst(common, alone)
  const place = dependencies.redis
  const redis = place ? connect(place, dependencies.log) : undefined
  const nameOf = (key: string) => `tollgate:${place?.installation}:rateLimit:${key}`
  const judge =
    redis === undefined ? inMemory : redisFirst(redis, { nameOf, inMemory, log: dependencies.log })
  return {
    take: async (key, limit, windowSeconds) => told(await judge(key, limit, windowSeconds, true)),
    peek: async (key, limit, windowSeconds) => told(await judge(key, limit, windowSeconds, false)),
    giveBack: async (key, place) => {
      const { by, at } = counted(place)
      if (by === undefined || by === 'here') windows.giveBack(key, at)
      if (by === undefined || by === 'together') common?.giveBack(key, at)
      if (redis?.status !== 'ready' || (by !== undefined && by !== 'redis')) return
      const name = nameOf(key)
      const gone = at === undefined ? redis.lpop(name) : redis.lrem(name, 1, at)
      await gone.catch(() => undefined)
    },
    close: async () => redis?.disconnect(),
  }
}

function told({ isAllowed, retryAfterSeconds, at, by }: Counted): Taken {
  const verdict = { isAllowed, retryAfterSeconds }
  return at === undefined ? verdict : { ...verdict, place: `${by} ${at}` }
}

function counted(place: string | undefined): { by?: string; at?: number } {
  const [by, at] = place?.split(' ') ?? []
  return by === undefined ? {} : { by, at: Number(at) }
}

/** Commands fail at once while the connection is down, so that no request waits for Redis to come back. */
function connect(place: RedisPlace, log: Logger | undefined): Redis {
  const redis = place.connect({
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: redisTimeoutMs,
    retryStrategy: (attempt) => Math.min(attempt * 200, 5_000),
  })
  logOutages([redis], log, {
    lost: 'Redis is away; rate limits count here',
    back: 'Redis is back; rate limits count there',
  })
  return redis
}

function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === 'Command timed out'
}

/** Whether Redis itself has refused the command. */
function isRefused(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError'
}

function commonFirst(common: CommonWindows, alone: Judge): Judge {
  return async (...question) => {
    const verdict = await common.judge(...question)
    return verdict ? { ...verdict, by: 'together' } : alone(...question)
  }
}

interface RedisWay {
  nameOf: (key: string) => string
  inMemory: Judge
  log: Logger | undefined
}

function redisFirst(redis: Redis, { nameOf, inMemory, log }: RedisWay): Judge {
  // A Redis that is frozen stays connected: without this each call would wait for it.
  let isSilent = false
  redis.on('ready', () => {
    isSilent = false
  })
  const isDue = atMostEvery(logEveryMs)
  return async (key, limit, windowSeconds, isCounted) => {
    if (limit < 1 || isSilent || redis.status !== 'ready') {
      return inMemory(key, limit, windowSeconds, isCounted)
    }
    try {
      const [waitMs, nowMs] = (await redis.eval(
        windowScript,
        1,
        nameOf(key),
        limit,
        windowSeconds * 1000,
        isCounted ? 1 : 0,
      )) as [number, number]
      const isAllowed = waitMs === 0
      return {
        isAllowed,
        retryAfterSeconds: Math.ceil(waitMs / 1000),
        at: isAllowed && isCounted ? nowMs : undefined,
        by: 'redis',
      }
    } catch (error) {
      if (isUnanswered(error) && !isSilent) {
        isSilent = true
        redis.disconnect(true)
      }
      // It is there and does not let us: EVAL is forbidden, its memory is full, it is a replica or one of a cluster.
      if (isRefused(error) && isDue())
        log?.warn({ err: error }, 'Redis refuses to count; rate limits count here')
      return inMemory(key, limit, windowSeconds, isCounted)
    }
  }
}
