import { describe, expect, it } from 'vitest'
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

function node(cluster: ClusterBus) {
  const forgotten: string[] = []
  const items = {
    forgetTurn: (userId: number, id: string) => forgotten.push(`${userId} ${id}`) > 0,
  }
  return { turns: new ForgottenTurns({ items, cluster }), forgotten }
}

const idOf = (place: number) => `resp_${String(place).padStart(23, '0')}aBcDeFgH`

describe('answers that their clients have deleted', () => {
  it('are forgotten by all nodes, and not taken over again', async () => {
    const { clusterOf } = bus()
    const [one, two] = [node(clusterOf('one')), node(clusterOf('two'))]
    await one.turns.forget(7, idOf(1))
    expect(one.forgotten).toEqual([`7 ${idOf(1)}`])
    expect(two.forgotten).toEqual(one.forgotten)
    expect(two.turns.has(7, idOf(1))).toBe(true)
    expect(two.turns.has(8, idOf(1))).toBe(false)
  })

  it('are told to a node that was away, also by others than the one that was asked', async () => {
    const { clusterOf, comeBack, away, sizes } = bus()
    const [one, two, three] = ['one', 'two', 'three'].map((id) => node(clusterOf(id)))
    away.add('three')
    for (let place = 0; place < 100; place += 1) await one?.turns.forget(7, idOf(place))
    one?.turns.close()
    await comeBack('three')
    expect(new Set(three?.forgotten)).toEqual(new Set(two?.forgotten))
    expect(new Set(three?.forgotten).size).toBe(100)
    expect(Math.max(...sizes)).toBeLessThan(4_096)
  })
})
