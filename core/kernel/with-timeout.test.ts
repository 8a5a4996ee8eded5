import { afterEach, describe, expect, it, vi } from 'vitest'
import { withOwnTime } from './with-timeout.ts'

afterEach(() => void vi.useRealTimers())

describe('work that is waited for in time of the process', () => {
  it('is not late because something else let nothing run', async () => {
    const work = withOwnTime(200, 'it', new Promise((resolve) => setImmediate(resolve, 'done')))
    const until = performance.now() + 300
    while (performance.now() < until);
    expect(await work).toBe('done')
  })

  it('is late after its time', async () => {
    vi.useFakeTimers()
    const work = withOwnTime(1_000, 'it', new Promise(() => undefined))
    const late = expect(work).rejects.toThrow('it took longer than 1000 ms')
    await vi.advanceTimersByTimeAsync(1_000)
    await late
    expect(vi.getTimerCount()).toBe(0)
  })
})
