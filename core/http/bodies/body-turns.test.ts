import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BodyTurns } from './body-turns.ts'

/** How long the work at one body keeps the event loop. */
const workMs = 300

describe('large bodies that are complete at once', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  function take(bodies: readonly number[]): number[] {
    const turns = new BodyTurns()
    const servedAtMs: number[] = []
    const beganMs = performance.now()
    for (const bytes of bodies)
      void turns.take(bytes).then(() => {
        servedAtMs.push(performance.now() - beganMs)
        vi.advanceTimersByTime(workMs)
      })
    return servedAtMs
  }

  const pass = async (ms: number) => {
    vi.advanceTimersByTime(ms)
    for (let turn = 0; turn < 3; turn += 1) await nextTurn()
  }

  it('leave as much time to everybody else as each of them took', async () => {
    const served = take([20e6, 3e6, 3e6])
    await pass(0)
    expect(served).toEqual([0])
    await pass(workMs - 1)
    expect(served).toEqual([0])
    await pass(1)
    expect(served).toEqual([0, 2 * workMs])
    await pass(workMs)
    expect(served).toEqual([0, 2 * workMs, 4 * workMs])
  })

  it('go together as far as they are small', async () => {
    const served = take(Array(30).fill(200_000))
    await pass(0)
    expect(served).toHaveLength(20)
    await pass(20 * workMs)
    expect(served).toHaveLength(30)
  })
})
