import { afterEach, describe, expect, it, vi } from 'vitest'
import { quietLog } from '../../test/harness/quiet-log.ts'
import type { RelaySettled } from '../contract/events.ts'
import { createEventBus } from '../kernel/event-bus.ts'
import { CallFigures } from './call-figures.ts'

const call: RelaySettled = {
  requestId: 'r',
  userId: 1,
  tokenId: 1,
  channelId: 1,
  model: 'm',
  group: 'default',
  units: 7,
  promptTokens: 10,
  completionTokens: 5,
  status: 200,
  durationMs: 400,
  firstByteMs: 80,
}

function figuresAt() {
  const events = createEventBus(quietLog)
  const clock = { ms: 1_750_000_000_000 }
  return { events, clock, figures: new CallFigures(events, () => clock.ms) }
}

afterEach(() => void vi.useRealTimers())

describe('the figures of calls', () => {
  it('forgets the last minute also where the clock is set back in it', () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    const events = createEventBus(quietLog)
    const figures = new CallFigures(events)
    events.emit('relay.settled', call)
    vi.setSystemTime(Date.now() - 86_400_000)
    expect(figures.recent().calls).toBe(1)
    vi.advanceTimersByTime(61_000)
    expect(figures.recent().calls).toBe(0)
    expect(figures.durations.quantile(0.5)).toBeNull()
  })

  it('adds up the last minute and forgets what is older', () => {
    const { events, clock, figures } = figuresAt()
    events.emit('relay.settled', call)
    clock.ms += 30_000
    events.emit('relay.settled', call)
    events.emit('relay.refused', { status: 503 })
    events.emit('relay.refused', { status: 400 })
    expect(figures.recent()).toEqual({ calls: 4, failed: 1, tokens: 30, units: 14 })
    clock.ms += 30_000
    expect(figures.recent()).toEqual({ calls: 3, failed: 1, tokens: 15, units: 7 })
    clock.ms += 3_600_000
    expect(figures.recent()).toEqual({ calls: 0, failed: 0, tokens: 0, units: 0 })
    expect([...figures.byStatus]).toEqual([
      [200, 2],
      [503, 1],
      [400, 1],
    ])
  })

  it('tells percentiles within the bounds of their bucket, and none without calls', () => {
    const { events, clock, figures } = figuresAt()
    expect(figures.durations.quantile(0.5)).toBeNull()
    for (let at = 0; at < 95; at += 1) events.emit('relay.settled', call)
    for (let at = 0; at < 5; at += 1) events.emit('relay.settled', { ...call, durationMs: 4_000 })
    const median = figures.durations.quantile(0.5) ?? 0
    expect(median).toBeGreaterThan(250)
    expect(median).toBeLessThanOrEqual(500)
    expect(figures.durations.quantile(0.99)).toBeGreaterThan(2_500)
    clock.ms += 61_000
    expect(figures.durations.quantile(0.5)).toBeNull()
  })

  it('hears nothing more when it is closed', () => {
    const { events, figures } = figuresAt()
    figures.close()
    events.emit('relay.settled', call)
    expect(figures.recent().calls).toBe(0)
  })
})
