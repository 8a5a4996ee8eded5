import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ClusterBus } from '../../contract/services.ts'
import { createEventBus } from '../../kernel/event-bus.ts'
import { fixedClock } from '../../../test/harness/clock.ts'
import { quietLog } from '../../../test/harness/quiet-log.ts'
import { RecentHealth } from './recent-health.ts'

type Listener = Parameters<ClusterBus['subscribe']>[1]

describe('the health of channels over the last hour', () => {
  let clock: ReturnType<typeof fixedClock>
  let nodes: { events: ReturnType<typeof createEventBus>; health: RecentHealth }[]

  beforeEach(() => {
    clock = fixedClock()
    const listeners: Listener[] = []
    nodes = ['a', 'b'].map((nodeId) => {
      const events = createEventBus(quietLog)
      const cluster: ClusterBus = {
        nodeId,
        publish: async (_topic, payload) => {
          for (const listener of listeners) await listener(payload)
        },
        subscribe: (_topic, listener) => {
          listeners.push(listener)
          return () => undefined
        },
      }
      const now = () => clock.now()
      return { events, health: new RecentHealth({ cluster, events, log: quietLog, now }) }
    })
  })
  afterEach(() => {
    for (const { health } of nodes) health.close()
  })

  function settled(node: number, channelId: number, status = 200): void {
    nodes[node]?.events.emit('relay.settled', {
      requestId: '',
      userId: 1,
      tokenId: 1,
      channelId,
      model: 'm',
      group: 'default',
      units: 1,
      promptTokens: 1,
      completionTokens: 1,
      status,
      durationMs: 1,
    })
  }
  const of = (node: number, channelId: number) => nodes[node]?.health.of(channelId)

  it('forgets what was counted before the clock was set back, here and on the other nodes', async () => {
    settled(0, 1)
    nodes[0]?.health.failed(1, 'upstream', 'it is down')
    await nodes[0]?.health.publish()
    clock.advance(-86_400_000)
    for (const node of [0, 1])
      expect(of(node, 1)).toEqual({ succeeded: 0, failed: 0, last_error: null })
  })

  it('counts what was answered and what failed, and keeps the last error', () => {
    settled(0, 1)
    settled(0, 1)
    nodes[0]?.health.failed(1, 'upstream', 'it is down')
    expect(of(0, 1)).toMatchObject({
      succeeded: 2,
      failed: 1,
      last_error: { failure_class: 'upstream', message: 'it is down' },
    })
    expect(of(0, 2)).toEqual({ succeeded: 0, failed: 0, last_error: null })
  })

  it.each(['bad-request', 'content'] as const)('does not blame it for a %s', (failureClass) => {
    nodes[0]?.health.failed(1, failureClass, '')
    expect(of(0, 1)).toMatchObject({ failed: 0 })
  })

  it('forgets after an hour', () => {
    nodes[0]?.health.failed(1, 'timeout', 'late')
    clock.advance(30 * 60_000)
    settled(0, 1)
    clock.advance(31 * 60_000)
    expect(of(0, 1)).toEqual({ succeeded: 1, failed: 0, last_error: null })
  })

  it('is the same on all nodes once they have told each other, however often they do', async () => {
    settled(0, 1)
    settled(1, 1)
    nodes[1]?.health.failed(1, 'throttled', 'too fast')
    for (let times = 0; times < 2; times++) {
      for (const { health } of nodes) await health.publish()
    }
    for (const node of [0, 1]) {
      expect(of(node, 1)).toMatchObject({
        succeeded: 2,
        failed: 1,
        last_error: { message: 'too fast' },
      })
    }
    settled(1, 1)
    await nodes[1]?.health.publish()
    for (const node of [0, 1]) expect(of(node, 1)).toMatchObject({ succeeded: 3 })
  })

  it('is known of a channel that only another node has called, with the newest error of both', async () => {
    nodes[0]?.health.failed(1, 'upstream', 'early')
    settled(0, 2)
    clock.advance(1000)
    nodes[1]?.health.failed(1, 'throttled', 'late')
    await nodes[0]?.health.publish()
    expect(of(1, 1)).toMatchObject({ failed: 2, last_error: { message: 'late' } })
    expect(of(1, 2)).toMatchObject({ succeeded: 1 })
    await nodes[1]?.health.publish()
    expect(of(0, 1)).toMatchObject({ failed: 2, last_error: { message: 'late' } })
  })

  it('does not count what another node tells an hour late', async () => {
    settled(0, 1)
    settled(0, 2)
    clock.advance(61 * 60_000)
    settled(1, 1)
    await nodes[0]?.health.publish()
    expect(of(1, 1)).toMatchObject({ succeeded: 1 })
    expect(of(1, 2)).toMatchObject({ succeeded: 0 })
  })
})
