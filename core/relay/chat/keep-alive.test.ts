import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ClientStream } from './client-stream.ts'
import { startKeepAlive } from './keep-alive.ts'

const values: Record<string, unknown> = {
  'general_setting.ping_interval_enabled': true,
  'general_setting.ping_interval_seconds': 5,
}
const options = { get: <T>(key: string) => values[key] as T }

class FakeStream {
  hasStarted = false
  written: string[] = []
  start(): void {
    this.hasStarted = true
  }
  write(text: string): void {
    this.written.push(text)
  }
}

describe('the pings of a stream', () => {
  let stream: FakeStream
  const begin = (startedAtMs: number) =>
    startKeepAlive(stream as unknown as ClientStream, { startedAtMs }, 'ping', options)

  beforeEach(() => {
    vi.useFakeTimers()
    stream = new FakeStream()
  })
  afterEach(() => vi.useRealTimers())

  it('begin 15 s after the call began, whatever its attempts took, and go on at the interval', () => {
    const pings = begin(performance.now() - 10_000)
    vi.advanceTimersByTime(4_900)
    expect(stream.hasStarted).toBe(false)
    vi.advanceTimersByTime(200)
    expect(stream).toMatchObject({ hasStarted: true, written: ['ping'] })
    vi.advanceTimersByTime(6_000)
    expect(stream.written).toHaveLength(2)
    pings.stop()
    vi.advanceTimersByTime(60_000)
    expect(stream.written).toHaveLength(2)
  })

  it('follow silence only', () => {
    stream.hasStarted = true
    const pings = begin(performance.now())
    for (let second = 0; second < 20; second += 1) {
      vi.advanceTimersByTime(1_000)
      pings.wrote()
    }
    expect(stream.written).toEqual([])
    pings.stop()
  })
})
