import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  createPostgres,
  createSqlite,
  hasPostgres,
  type TestDatabase,
} from '../../../test/harness/databases.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { ClusterBus, ClusterListener, ClusterResync } from '../../contract/services.ts'
import { ForgottenTurns } from './forgotten-turns.ts'

interface Subscriber {
  topic: string
  nodeId: string
  listener: ClusterListener
  resync: ClusterResync
}

/** A bus that some nodes do not hear. */
function bus() {
  const subscribers = new Set<Subscriber>()
  const away = new Set<string>()
  const sizes: number[] = []
  const clusterOf = (nodeId: string): ClusterBus => ({
    nodeId,
    publish: async (topic: string, payload: JsonObject) => {
      sizes.push(JSON.stringify(payload).length)
      for (const subscriber of subscribers)
        if (subscriber.topic === topic && !away.has(subscriber.nodeId))
          await subscriber.listener(payload)
    },
    subscribe: (topic, listener, resync) => {
      const subscriber = { topic, nodeId, listener, resync }
      subscribers.add(subscriber)
      return () => subscribers.delete(subscriber)
    },
  })
  const comeBack = async (nodeId: string) => {
    away.delete(nodeId)
    for (const subscriber of subscribers)
      if (subscriber.nodeId === nodeId) await subscriber.resync()
  }
  return { clusterOf, comeBack, away, sizes }
}

function node(cluster: ClusterBus, { database }: TestDatabase) {
  const forgotten: string[] = []
  const items = {
    forgetTurn: (userId: number, id: string) => forgotten.push(`${userId} ${id}`) > 0,
  }
  return { turns: new ForgottenTurns({ items, cluster, database }), forgotten }
}

const idOf = (place: number) => `resp_${String(place).padStart(23, '0')}aBcDeFgH`

describe.runIf(hasPostgres)('answers that their clients have deleted', () => {
  let server: TestDatabase
  beforeAll(async () => {
    server = await createPostgres()
  })
  afterAll(() => server.close())
  afterEach(() => server.database.run('DELETE FROM forgotten_turns'))

  it('are forgotten by all nodes, and not taken over again', async () => {
    const { clusterOf } = bus()
    const [one, two] = [node(clusterOf('one'), server), node(clusterOf('two'), server)]
    await one.turns.forget(7, idOf(1))
    await one.turns.forget(7, idOf(1))
    expect(one.forgotten).toEqual([`7 ${idOf(1)}`])
    expect(two.forgotten).toEqual(one.forgotten)
    expect(two.turns.has(7, idOf(1))).toBe(true)
    expect(two.turns.has(8, idOf(1))).toBe(false)
  })

  it('are known to a node that was away while the one that was asked has ended', async () => {
    const { clusterOf, comeBack, away, sizes } = bus()
    const [one, two] = [node(clusterOf('one'), server), node(clusterOf('two'), server)]
    away.add('two')
    for (let place = 0; place < 100; place += 1) await one.turns.forget(7, idOf(place))
    one.turns.close()
    expect(two.forgotten).toEqual([])
    await comeBack('two')
    expect(new Set(two.forgotten)).toEqual(new Set(one.forgotten))
    expect(new Set(two.forgotten).size).toBe(100)
    expect(Math.max(...sizes)).toBeLessThan(4_096)
  })

  it('are known to a node that has just started', async () => {
    const { clusterOf } = bus()
    await node(clusterOf('one'), server).turns.forget(7, idOf(1))
    const { turns } = node(clusterOf('two'), server)
    expect(await turns.among(7, [idOf(1), idOf(1), idOf(2)])).toEqual(new Set([idOf(1)]))
    expect(await turns.among(8, [idOf(1)])).toEqual(new Set())
  })

  it('stay so where it cannot be noted: whoever deletes hears of it, and nobody has forgotten', async () => {
    const { clusterOf } = bus()
    const run = () => Promise.reject(new Error('away'))
    const database = Object.create(server.database, {
      run: { value: run },
    }) as typeof server.database
    const one = node(clusterOf('one'), { ...server, database })
    await expect(one.turns.forget(7, idOf(1))).rejects.toThrow('away')
    expect(one.forgotten).toEqual([])
  })

  it('are noted for a day', async () => {
    const { turns } = node(bus().clusterOf('one'), server)
    await turns.forget(7, idOf(1))
    await turns.forget(7, idOf(2))
    const aDayAgo = Math.floor(Date.now() / 1000) - 86_500
    await server.database.run('UPDATE forgotten_turns SET created_at = :aDayAgo WHERE id = :id', {
      aDayAgo,
      id: idOf(1),
    })
    await turns.sweep()
    expect(await turns.among(7, [idOf(1), idOf(2)])).toEqual(new Set([idOf(2)]))
  })
})

it('are remembered by the one process that there is on SQLite, and noted nowhere', async () => {
  const server = await createSqlite()
  const { turns, forgotten } = node(bus().clusterOf('one'), server)
  await turns.forget(7, idOf(1))
  expect(forgotten).toHaveLength(1)
  expect(await turns.among(7, [idOf(1), idOf(2)])).toEqual(new Set([idOf(1)]))
  expect(await server.database.select('SELECT id FROM forgotten_turns')).toEqual([])
  await turns.sweep()
  await server.close()
})
