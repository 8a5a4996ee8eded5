import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createBus } from '../../test/harness/core-services.ts'
import { quietLog } from '../../test/harness/quiet-log.ts'
import type { ClusterBus } from '../contract/services.ts'
import { Contributions, servicesFor, type SharedServices } from './contributions.ts'

beforeEach(() => void vi.useFakeTimers())

afterEach(() => void vi.useRealTimers())

const never = () => new Promise<void>(() => undefined)
const refuse = () => {
  throw new Error('it will not stop')
}

describe('what a plugin started', () => {
  it.each([
    { what: 'hangs', dispose: never, fault: 'took longer than' },
    { what: 'throws', dispose: refuse, fault: 'it will not stop' },
  ])('does not keep its generation when its end $what', async ({ dispose, fault }) => {
    const faults: string[] = []
    const target = new Contributions((error) => faults.push(String(error)))
    let others = 0
    target.onDispose(dispose)
    target.onDispose(() => void others++)
    target.whileCurrent(() => dispose)
    target.whileCurrent(() => () => void others++)
    target.activate()
    const over = target.deactivate().then(() => target.dispose())
    await vi.advanceTimersByTimeAsync(60_000)
    await over
    expect(others).toBe(2)
    expect(faults).toHaveLength(2)
    expect(faults[0]).toContain(fault)
  })

  it('ends when the plugin says so, whenever it was begun, and once', async () => {
    const target = new Contributions()
    const running = new Set<string>()
    const ends: string[] = []
    const begin = (name: string) =>
      target.whileCurrent(() => {
        running.add(name)
        return () => {
          running.delete(name)
          ends.push(name)
        }
      })
    const stops = [begin('before'), begin('never')]
    await stops[1]?.()
    target.whileCurrent(() => begin('within'))
    target.activate()
    stops.push(begin('after'))
    expect([...running]).toEqual(['before', 'within', 'after'])
    for (const stop of stops) await stop()
    expect([...running]).toEqual(['within'])
    await target.deactivate()
    expect(ends).toEqual(['before', 'after', 'within'])
  })
})

describe('a listener of events that keeps everybody waiting', () => {
  const calls = (isExternal: boolean, blockMs: number, pauseMs = 0) => {
    const listeners: ((payload: object) => unknown)[] = []
    const ignore = () => undefined
    const stub = { emit: ignore, onChange: ignore, use: ignore, get: ignore, list: ignore }
    const all = { ...stub, set: ignore, setMany: ignore, secretsSet: ignore, schemaOf: ignore }
    const on = (_name: string, listener: (payload: object) => unknown) => {
      listeners.push(listener)
      return ignore
    }
    const shared: unknown = {
      log: { ...quietLog, error: ignore },
      cluster: createBus().join('node'),
      events: { ...stub, on },
      options: all,
      mail: { ...stub, send: ignore },
    }
    const target = new Contributions(undefined, new Set(isExternal ? ['it'] : []))
    let count = 0
    servicesFor('it', shared as SharedServices, target).events.on('relay.settled', async () => {
      count += 1
      vi.advanceTimersByTime(blockMs)
      await never()
    })
    target.activate()
    for (let round = 0; round < 15; round += 1) {
      for (const listener of listeners) listener({})
      vi.advanceTimersByTime(pauseMs)
    }
    return count
  }

  it('is no longer called after five seconds where it comes from outside', () => {
    expect(calls(true, 501)).toBe(10)
    expect(calls(true, 60_000)).toBe(6)
    expect(calls(true, 900, 400)).toBe(10)
    expect(calls(false, 501)).toBe(15)
  })

  it('is called on while others have half of the time, and when the machine may have stood still', () => {
    expect(calls(true, 900, 900)).toBe(15)
    expect(calls(true, 99)).toBe(15)
    expect(calls(true, 60_000, 1_000)).toBe(15)
  })
})

const ignore = () => undefined

function pluginOn(bus: ReturnType<typeof createBus>, owner = 'it', target = new Contributions()) {
  const stub = { emit: ignore, on: () => ignore, onChange: () => ignore, use: () => ignore }
  const options = { ...stub, get: ignore, set: ignore, setMany: ignore, list: ignore }
  const shared: unknown = {
    log: quietLog,
    cluster: bus.join('node'),
    events: stub,
    options: { ...options, secretsSet: ignore, schemaOf: ignore },
    mail: { ...stub, send: ignore },
  }
  return { target, ...servicesFor(owner, shared as SharedServices, target) }
}

describe('a plugin that listens to the cluster', () => {
  it('reads anew when it begins to serve, after each gap, and no more when it is off', async () => {
    const bus = createBus()
    const { target, cluster } = pluginOn(bus)
    let readings = 0
    cluster.subscribe('prices', ignore, () => void readings++)
    await bus.gap()
    expect(readings).toBe(0)
    target.activate()
    await vi.advanceTimersByTimeAsync(0)
    expect(readings).toBe(1)
    await bus.gap()
    await vi.advanceTimersByTimeAsync(0)
    expect(readings).toBe(2)
    await target.deactivate()
    await bus.gap()
    expect(readings).toBe(2)
  })

  it('cannot do so without a resync, whatever language it was written in', () => {
    const subscribe: (...input: never[]) => unknown = pluginOn(createBus()).cluster.subscribe
    const untyped = subscribe as (
      topic: string,
      listener: () => void,
    ) => ReturnType<ClusterBus['subscribe']>
    expect(() => untyped('prices', ignore)).toThrow(/needs a resync/)
  })
})

it('figures of two plugins may have one name', () => {
  const { target, metrics } = pluginOn(createBus(), 'one')
  metrics.add({ id: 'refused_total', value: () => 1 })
  pluginOn(createBus(), 'two', target).metrics.add({ id: 'refused_total', value: () => 2 })
  expect(target.metrics.list().map(({ id, value }) => [id, value()])).toEqual([
    ['one/refused_total', 1],
    ['two/refused_total', 2],
  ])
})
