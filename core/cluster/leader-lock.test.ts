import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  createPostgres,
  createSqlite,
  hasPostgres,
  quietLog,
  type TestDatabase,
} from '../../test/harness/databases.ts'
import { createLeaderLock, type LeaderLock } from './leader-lock.ts'

async function startDatabase(create: () => Promise<TestDatabase>): Promise<TestDatabase> {
  const started = await create()
  onTestFinished(() => started.close())
  return started
}

async function nodeOn({ database }: TestDatabase): Promise<LeaderLock> {
  const lock = await createLeaderLock({ database, log: quietLog })
  onTestFinished(() => lock.close())
  return lock
}

const cutLeaders = ({ select }: TestDatabase['database']) =>
  select(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'tollgate leader' AND datname = current_database()`)

/** The server frees a lock a moment after its connection has ended. */
async function untilLeading(...locks: LeaderLock[]): Promise<AbortSignal> {
  for (;;) {
    for (const lock of locks) {
      const term = await lock.acquire()
      if (term !== undefined) return term
    }
    await wait(5)
  }
}

describe('leadership with SQLite', () => {
  it('belongs to the one process until it stops', async () => {
    const lock = await nodeOn(await startDatabase(createSqlite))
    const term = await lock.acquire()
    expect(term?.aborted).toBe(false)
    await lock.close()
    expect(term?.aborted).toBe(true)
    expect(await lock.acquire()).toBeUndefined()
  })
})

describe.skipIf(!hasPostgres)('leadership with PostgreSQL', () => {
  it('belongs to one of many nodes, however often they ask', async () => {
    const database = await startDatabase(createPostgres)
    const nodes = await Promise.all(Array.from({ length: 4 }, () => nodeOn(database)))
    const rounds = Array.from({ length: 5 }, () =>
      Promise.all(nodes.map(async (node) => (await node.acquire()) !== undefined)),
    )
    for (const held of await Promise.all(rounds)) {
      expect(held.filter(Boolean)).toHaveLength(1)
    }
  })

  it('passes on when the leader stops', async () => {
    const database = await startDatabase(createPostgres)
    const [one, other] = [await nodeOn(database), await nodeOn(database)]
    const term = await one.acquire()
    expect(await other.acquire()).toBeUndefined()
    await one.close()
    expect(term?.aborted).toBe(true)
    expect((await untilLeading(other)).aborted).toBe(false)
  })

  it('ends with the connection that holds it, and can be won again', async () => {
    const database = await startDatabase(createPostgres)
    const lock = await nodeOn(database)
    const term = await untilLeading(lock)
    const ended = once(term, 'abort')
    await cutLeaders(database.database)
    await ended
    expect((await untilLeading(lock)).aborted).toBe(false)
  })

  it('is not sought on a standby, where a stale address leads after a failover, but on the server that writes', async () => {
    const started = await startDatabase(createPostgres)
    const { database } = started
    const place = new URL(started.settings.url ?? '').pathname.slice(1)
    const standby = (word: 'true' | 'false') =>
      database.run(`CREATE OR REPLACE FUNCTION public.pg_is_in_recovery() RETURNS boolean
        LANGUAGE sql AS 'SELECT ${word}'`)
    await standby('true')
    await database.run(`ALTER DATABASE ${place} SET search_path = public, pg_catalog`)
    const refused = createLeaderLock({ database, log: quietLog }).then(() => 'opened', String)
    expect(await refused).toContain('only reads')
    await standby('false')
    const lock = await nodeOn(started)
    await untilLeading(lock)
    await standby('true')
    await cutLeaders(database)
    await expect.poll(() => lock.acquire()).toBeUndefined()
    await standby('false')
    expect((await untilLeading(lock)).aborted).toBe(false)
  })
})
