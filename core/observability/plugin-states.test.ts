import { setImmediate as delivered } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { createBus } from '../../test/harness/core-services.ts'
import type { OwnState } from '../kernel/host/plugin-rows.ts'
import { PluginStates } from './plugin-states.ts'

const made: PluginStates[] = []
let nowMs = 0
afterEach(() => {
  for (const states of made.splice(0)) states.close()
  vi.useRealTimers()
})

/** Two nodes with what each has; the second speaks. */
function nodes(one: OwnState[], two: OwnState[]) {
  const bus = createBus()
  const [listening, speaking] = [one, two].map((own, at) => {
    const cluster = bus.join(`node-${at}`)
    const states = new PluginStates({ cluster, own: () => own, now: () => nowMs })
    made.push(states)
    return states
  })
  const speak = async () => {
    speaking?.announce()
    await delivered()
  }
  return { of: (id: string) => listening?.of(id), speak }
}

const guard: OwnState = { id: 'guard', state: 'on', version: '1.0.0' }

it('a node without the folder of a plugin is told of, once it has said all that it has', async () => {
  const { of, speak } = nodes([guard], [])
  await speak()
  expect(of('guard')).toEqual([])
  nowMs += 15_000
  await speak()
  expect(of('guard')).toMatchObject([
    { node: 'node-1', state: 'failed', blame: { stage: 'absent' } },
  ])
  nowMs += 60_000
  expect(of('guard')).toEqual([])
})

it('a node that has it is told of in its own words', async () => {
  const { of, speak } = nodes([guard], [{ ...guard, version: '0.9.0' }])
  await speak()
  nowMs += 15_000
  await speak()
  expect(of('guard')).toMatchObject([{ node: 'node-1', state: 'on', version: '0.9.0' }])
})

it('a node that has ended is forgotten as soon where the clock is set back', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  const bus = createBus()
  const [listening, speaking] = ['one', 'two'].map((name) => {
    const states = new PluginStates({ cluster: bus.join(name), own: () => [guard] })
    made.push(states)
    return states
  })
  speaking?.announce()
  await delivered()
  vi.setSystemTime(Date.now() - 86_400_000)
  expect(listening?.of('guard')).toHaveLength(1)
  vi.advanceTimersByTime(60_000)
  expect(listening?.of('guard')).toEqual([])
})
