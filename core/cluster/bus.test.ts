import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  createPostgres,
  createSqlite,
  hasPostgres,
  quietLog,
  type TestDatabase,
} from '../../test/harness/databases.ts'
import { createRedis, hasRedis, type TestRedis } from '../../test/harness/redis.ts'
import type { JsonObject } from '../contract/json.ts'
import { createClusterBus } from './bus.ts'
import { redisPlace } from './redis-place.ts'

type Bus = Awaited<ReturnType<typeof createClusterBus>>

async function startDatabase(create: () => Promise<TestDatabase>): Promise<TestDatabase> {
  const started = await create()
  onTestFinished(() => started.close())
  return started
}

async function startRedis(): Promise<TestRedis> {
  const redis = await createRedis()
  onTestFinished(() => redis.close())
  return redis
}

async function nodeOn(
  { database }: TestDatabase,
  url?: string,
  installation = 'one',
): Promise<Bus> {
  const redis = url === undefined ? undefined : await redisPlace(url, installation)
  const bus = await createClusterBus({ database, redis, log: quietLog })
  onTestFinished(() => bus.close())
  return bus
}

const ignore = (): void => undefined

/** The next payload of the topic; ask before it is sent. */
function next(bus: Bus, topic: string): Promise<JsonObject> {
  return new Promise((resolve) => {
    const hear = (payload: JsonObject): void => {
      unsubscribe()
      resolve(payload)
    }
    const unsubscribe = bus.subscribe(topic, hear, ignore)
  })
}

/** Resolves when the bus next asks its subscribers to read anew. */
function resynced(bus: Bus): Promise<void> {
  return new Promise((resolve) => {
    const hear = (): void => {
      unsubscribe()
      resolve()
    }
    const unsubscribe = bus.subscribe('anything', ignore, hear)
  })
}

describe('the bus of one process', () => {
  it('delivers before publish returns, to those who listen at that moment', async () => {
    const bus = await nodeOn(await startDatabase(createSqlite))
    const seen: JsonObject[] = []
    const unsubscribe = bus.subscribe('token', (payload) => void seen.push(payload), ignore)
    bus.subscribe('other', () => void seen.push({ wrong: true }), ignore)
    await bus.publish('token', { id: 1 })
    unsubscribe()
    await bus.publish('token', { id: 2 })
    expect(seen).toEqual([{ id: 1 }])
  })

  it('does not let one listener disturb another, or the sender', async () => {
    const bus = await nodeOn(await startDatabase(createSqlite))
    const fail = () => {
      throw new Error('no')
    }
    bus.subscribe('token', fail, ignore)
    const heard = next(bus, 'token')
    await bus.publish('token', { id: 1 })
    expect(await heard).toEqual({ id: 1 })
  })

  it('lets a listener that failed read anew, again and again until it succeeds', async () => {
    const bus = await nodeOn(await startDatabase(createSqlite))
    let readings = 0
    await new Promise<void>((resolve) => {
      const read = async () => {
        readings += 1
        if (readings < 3) throw new Error('the database is away')
        resolve()
      }
      bus.subscribe('token', () => Promise.reject(new Error('the database is away')), read)
      void bus.publish('token', { id: 1 })
    })
    expect(readings).toBe(3)
  })

  it('refuses a payload of more than 4 kB', async () => {
    const bus = await nodeOn(await startDatabase(createSqlite))
    await expect(bus.publish('token', { text: 'é'.repeat(2100) })).rejects.toThrow(RangeError)
  })
})

const sessions = `FROM pg_stat_activity
  WHERE application_name = 'tollgate cluster' AND datname = current_database()`

/** Ends the connections that are open now when it is called, and no later ones. */
async function cutterOfPostgres({ database }: TestDatabase): Promise<() => Promise<unknown>> {
  const open = await database.select<{ pid: number }>(`SELECT pid ${sessions}`)
  const pids = open.map(({ pid }) => pid).join()
  return () => database.select(`SELECT pg_terminate_backend(pid) ${sessions} AND pid IN (${pids})`)
}

async function cutterOfRedis(url: string): Promise<() => Promise<unknown>> {
  const admin = new Redis(url)
  // The server ends before its client does.
  admin.on('error', () => undefined)
  onTestFinished(async () => admin.disconnect())
  const own = await admin.client('ID')
  const list = String(await admin.client('LIST'))
  const ids = [...list.matchAll(/^id=(\d+)/gm)].map(([, id]) => Number(id))
  return () =>
    Promise.all(ids.filter((id) => id !== own).map((id) => admin.client('KILL', 'ID', id)))
}

describe.skipIf(!hasRedis)('a Redis that two installations share', () => {
  it('carries to each its own messages', async () => {
    const { url } = await startRedis()
    const database = await startDatabase(createSqlite)
    const one = await nodeOn(database, url)
    const greeted = resynced(one)
    const same = await nodeOn(database, url)
    await greeted
    const seen: JsonObject[] = []
    one.subscribe('token', (payload) => void seen.push(payload), ignore)
    const other = await nodeOn(await startDatabase(createSqlite), url, 'other')
    await other.publish('token', { id: 1 })
    const heard = next(one, 'token')
    await same.publish('token', { id: 2 })
    await heard
    expect(seen).toEqual([{ id: 2 }])
  })
})

const transports = [
  ...(hasPostgres ? [{ name: 'PostgreSQL', create: createPostgres, isRedis: false }] : []),
  ...(hasRedis ? [{ name: 'Redis', create: createSqlite, isRedis: true }] : []),
  ...(hasRedis && hasPostgres
    ? [{ name: 'Redis and PostgreSQL', create: createPostgres, isRedis: true }]
    : []),
]

describe.each(transports)('the bus over $name', ({ create, isRedis }) => {
  const start = async () => {
    const started = await startDatabase(create)
    const redis = isRedis ? await startRedis() : undefined
    const one = await nodeOn(started, redis?.url)
    const cutOne =
      redis === undefined ? await cutterOfPostgres(started) : await cutterOfRedis(redis.url)
    const greeted = resynced(one)
    const other = await nodeOn(started, redis?.url)
    await greeted
    return { database: started.database, redis, one, other, cutOne }
  }

  it('delivers to every node, and to the sender only once', async () => {
    const { one, other } = await start()
    const seen: JsonObject[] = []
    one.subscribe('token', (payload) => void seen.push(payload), ignore)
    const heard = next(other, 'token')
    await one.publish('token', { text: "it's ünïcode", list: [1, null] })
    expect(await heard).toEqual({ text: "it's ünïcode", list: [1, null] })
    // What comes back to the sender comes in the order sent: after this answer it would be here.
    const answer = next(one, 'answer')
    await other.publish('answer', {})
    await answer
    expect(seen).toHaveLength(1)
    expect(one.nodeId).not.toBe(other.nodeId)
  })

  it('tells nodes that were cut off to read anew', async () => {
    const { database, redis, one, other } = await start()
    const gaps = [resynced(one), resynced(other)]
    if (redis === undefined) await database.select(`SELECT pg_terminate_backend(pid) ${sessions}`)
    else {
      await redis.stop()
      await redis.start()
    }
    await Promise.all(gaps)
    const heard = next(other, 'token')
    await one.publish('token', { id: 2 })
    expect(await heard).toEqual({ id: 2 })
  })

  it('sends what was published while the sender was cut off', async () => {
    const { other, one, cutOne } = await start()
    const heard = next(other, 'token')
    await cutOne()
    await one.publish('token', { id: 1 })
    expect(await heard).toEqual({ id: 1 })
  })
})

describe.skipIf(!hasRedis || !hasPostgres)('a Redis that goes away beside PostgreSQL', () => {
  it('leaves the messages to PostgreSQL, from and to every node', async () => {
    const database = await startDatabase(createPostgres)
    const redis = await startRedis()
    const [one, other] = [await nodeOn(database, redis.url), await nodeOn(database, redis.url)]
    await redis.stop()
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      const heard = next(to, 'token')
      await from.publish('token', { id: 1 })
      expect(await heard).toEqual({ id: 1 })
    }
  })

  it('delivers each message once while both carry it', async () => {
    const database = await startDatabase(createPostgres)
    const redis = await startRedis()
    const [one, other] = [await nodeOn(database, redis.url), await nodeOn(database, redis.url)]
    const seen: unknown[] = []
    other.subscribe('token', ({ id }) => void seen.push(id), ignore)
    for (let id = 0; id < 20; id += 1) await one.publish('token', { id })
    // Whatever was sent over either transport has come when its later messages have.
    await redis.stop()
    const heard = next(other, 'end')
    await one.publish('end', {})
    await heard
    expect(seen.toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 20 }, (_, id) => id),
    )
  })
})

describe.skipIf(!hasRedis)('a Redis that is away', () => {
  it('keeps no node from starting, and carries the messages when it comes', async () => {
    const database = await startDatabase(createSqlite)
    const redis = await startRedis()
    await redis.stop()
    const [one, other] = [await nodeOn(database, redis.url), await nodeOn(database, redis.url)]
    const areBack = Promise.all([resynced(one), resynced(other)])
    await one.publish('token', { id: 0 })
    expect(one.isAway).toBe(true)
    await redis.start()
    await areBack
    expect(one.isAway).toBe(false)
    // What was said while it was away may come late.
    const heard = new Promise<void>((resolve) => {
      const hear = ({ id }: JsonObject): void => {
        if (id === 1) resolve()
      }
      other.subscribe('token', hear, ignore)
    })
    await one.publish('token', { id: 1 })
    await heard
  })

  it('is told of once, however much waits for it', async () => {
    const redis = await startRedis()
    const logged: string[] = []
    const log = { ...quietLog, warn: (_fields: object, text: string) => void logged.push(text) }
    const { database } = await startDatabase(createSqlite)
    const bus = await createClusterBus({
      database,
      redis: await redisPlace(redis.url, 'one'),
      log,
    })
    onTestFinished(() => bus.close())
    await redis.stop()
    for (let id = 0; id < 5; id += 1) await bus.publish('token', { id })
    expect(logged.filter((text) => text.includes('wait'))).toHaveLength(1)
  })
})

describe.skipIf(!hasRedis)('a Redis that refuses', () => {
  it.each([
    { what: 'the password', setting: ['requirepass', 'other'], database: '' },
    { what: 'the database', setting: ['appendonly', 'no'], database: '?db=99' },
  ] as const)('$what stops the start with a sentence that names the variable', async (refused) => {
    const redis = await startRedis()
    const admin = new Redis(redis.url)
    await admin.config('SET', ...refused.setting)
    admin.disconnect()
    const url = redis.url + refused.database
    await expect(nodeOn(await startDatabase(createSqlite), url)).rejects.toThrow(/^REDIS_URL /)
  })
})
