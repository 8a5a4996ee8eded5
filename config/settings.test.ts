import { getHeapStatistics } from 'node:v8'
import { describe, expect, it, vi } from 'vitest'
import { readEnvironment } from './environment.ts'
import { settingsOf } from './settings.ts'

const MIB = 1_048_576

const settingsIn = (variables: Record<string, string>) =>
  settingsOf(readEnvironment(variables), '1.0.0')

function limitOf(variables: Record<string, string>): number {
  return settingsIn(variables).bodies.limitBytes
}

/** In a container of so many MiB. */
function within(memoryMiB: number, variables: Record<string, string> = {}) {
  const memory = vi.spyOn(process, 'constrainedMemory').mockReturnValue(memoryMiB * MIB)
  try {
    const { relayBodyBytes, bodies, answerBytes } = settingsIn(variables)
    const all = bodies.limitBytes / MIB
    return { largest: relayBodyBytes / MIB, all, answers: answerBytes / MIB }
  } finally {
    memory.mockRestore()
  }
}

describe('how many bytes of bodies are open at a time', () => {
  it('is a quarter of the heap at the most, and one body of the largest size at the least', () => {
    const quarter = getHeapStatistics().heap_size_limit / 4
    expect(limitOf({ MAX_REQUEST_BODY_MB: '1' })).toBeLessThanOrEqual(quarter)
    expect(limitOf({ MAX_REQUEST_BODY_MB: '1024', OPEN_BODIES_MB: '1' })).toBe(1024 * MIB)
  })

  it('is what whoever runs the gateway says', () => {
    expect(limitOf({ OPEN_BODIES_MB: '50000' })).toBe(50_000 * MIB)
  })
})

describe('the largest body', () => {
  it('is one that the memory can hold eight times beside the process', () => {
    const { largest, all, answers } = within(512)
    expect(360 + 8 * all).toBeLessThanOrEqual(512)
    expect([largest, answers]).toEqual([all, all])
    expect(within(2_048).answers).toBeGreaterThanOrEqual(128)
    expect(within(256).largest).toBe(8)
    expect([1_383, 1_384, 2_048].map((memory) => within(memory).largest < 128)).toEqual([
      true,
      false,
      false,
    ])
  })

  it('is what whoever runs the gateway says', () => {
    expect(within(512, { MAX_REQUEST_BODY_MB: '200' })).toMatchObject({ largest: 200, all: 200 })
  })

  it('is smaller where several processes share the memory', () => {
    const shared = { WORKERS: '2', DATABASE_URL: 'postgres://gateway@database.example/gateway' }
    expect(within(1_024, shared).largest).toBe(within(512).largest)
  })
})
