import { setImmediate as delivered } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createBus } from '../../test/harness/core-services.ts'
import { quietLog } from '../../test/harness/quiet-log.ts'
import { createEventBus } from '../kernel/event-bus.ts'
import { CallFigures } from './call-figures.ts'
import { Nodes } from './nodes.ts'

const made: Nodes[] = []
afterEach(() => {
  for (const nodes of made.splice(0)) nodes.close()
})

function nodeOn(...place: Parameters<typeof startingOn>) {
  const nodes = startingOn(...place)
  nodes.begin()
  return nodes
}

function startingOn(
  bus: ReturnType<typeof createBus>,
  nodeId: string,
  now = () => 1_750_000_000_000,
  steadyNow = now,
  isBusAway = () => false,
) {
  const nodes = new Nodes({
    cluster: bus.join(nodeId),
    calls: new CallFigures(createEventBus(quietLog), now),
    version: '1.2.3',
    facts: {
      inFlight: () => 3,
      generation: () => 2,
      realtimeSessions: () => 1,
      ledger: () => ({ waiting: 4, commitMs: 1.26, isAway: false }),
      isBusAway,
    },
    now,
    steadyNow,
  })
  made.push(nodes)
  return nodes
}

describe('the processes of a gateway', () => {
  it('know each other by what they tell, each naming itself first', async () => {
    const bus = createBus()
    const [one, two] = [nodeOn(bus, 'one'), nodeOn(bus, 'two')]
    one.announce()
    await delivered()
    expect(one.nodes().map(({ id }) => id)).toEqual(['one', 'two'])
    expect(two.nodes().map(({ id }) => id)).toEqual(['two', 'one'])
    expect(two.nodes()[1]).toMatchObject({
      version: '1.2.3',
      in_flight: 3,
      generation: 2,
      realtime_sessions: 1,
      ledger_waiting: 4,
      ledger_commit_ms: 1.3,
      duration_p50_ms: null,
    })
  })

  it('are counted by others once they serve, not where a start fails or a command runs', async () => {
    const bus = createBus()
    const [serving, starting] = [nodeOn(bus, 'one'), startingOn(bus, 'two')]
    starting.announce()
    await delivered()
    expect(serving.nodes().map(({ id }) => id)).toEqual(['one'])
    starting.begin()
    await delivered()
    expect(serving.nodes().map(({ id }) => id)).toEqual(['one', 'two'])
  })

  it('tell of themselves where the process may open no file any more', async () => {
    const one = nodeOn(createBus(), 'one')
    const known = one.nodes()[0]?.rss_bytes
    const read = vi.spyOn(process.memoryUsage, 'rss').mockImplementation(() => {
      throw new Error('EMFILE: too many open files, uv_resident_set_memory')
    })
    one.announce()
    expect(one.nodes()[0]?.rss_bytes).toBe(known)
    read.mockRestore()
  })

  it('forget one that is not heard of any more', async () => {
    const bus = createBus()
    const clock = { ms: 1_750_000_000_000 }
    const one = nodeOn(bus, 'one', () => clock.ms)
    nodeOn(bus, 'two')
    await delivered()
    expect(one.nodes()).toHaveLength(2)
    clock.ms += 21_000
    expect(one.nodes().map(({ id }) => id)).toEqual(['one'])
  })

  it('say which others there are once all have had the time to tell', async () => {
    const bus = createBus()
    const clock = { ms: 1_750_000_000_000 }
    const one = nodeOn(bus, 'one', () => clock.ms)
    nodeOn(bus, 'two')
    await delivered()
    expect(one.others()).toBeUndefined()
    clock.ms += 10_000
    expect(one.others()).toEqual(['two'])
    clock.ms += 11_000
    expect(one.others()).toEqual([])
  })

  it('are not taken for gone while the bus was away and has just come back', async () => {
    const bus = createBus()
    const clock = { ms: 1_750_000_000_000 }
    const now = () => clock.ms
    let isAway = true
    const one = nodeOn(bus, 'one', now, now, () => isAway)
    clock.ms += 30_000
    expect(one.others()).toBeUndefined()
    isAway = false
    await bus.gap()
    expect(one.others()).toBeUndefined()
    nodeOn(bus, 'two', now)
    await delivered()
    clock.ms += 10_000
    expect(one.others()).toEqual(['two'])
  })

  it('forget one after as long where the clock is set back in between', async () => {
    const bus = createBus()
    const clock = { ms: 1_750_000_000_000, steadyMs: 0 }
    const one = nodeOn(
      bus,
      'one',
      () => clock.ms,
      () => clock.steadyMs,
    )
    nodeOn(bus, 'two')
    await delivered()
    clock.ms -= 3_600_000
    clock.steadyMs += 21_000
    expect(one.nodes()).toHaveLength(1)
  })

  it('tell since when one is silent by the clock of the one that is asked', async () => {
    const bus = createBus()
    const clock = { ms: 1_750_000_000_000 }
    const one = nodeOn(bus, 'one', () => clock.ms)
    nodeOn(bus, 'two', () => clock.ms - 300_000)
    await delivered()
    clock.ms += 12_000
    const [own, other] = one.nodes()
    expect(Number(own?.told_at) - Number(other?.told_at)).toBe(12)
  })

  it('take no message that is none of a node', async () => {
    const bus = createBus()
    const one = nodeOn(bus, 'one')
    await bus.join('stranger').publish('node-figures', { id: 'x', host: { toString: 'no' } })
    expect(one.nodes()).toHaveLength(1)
  })
})
