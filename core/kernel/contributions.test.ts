import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Contributions } from './contributions.ts'

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
})
