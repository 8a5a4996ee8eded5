import { getHeapStatistics } from 'node:v8'
import { describe, expect, it } from 'vitest'
import { readEnvironment } from './environment.ts'
import { settingsOf } from './settings.ts'

const MIB = 1_048_576

function limitOf(variables: Record<string, string>): number {
  return settingsOf(readEnvironment(variables), '1.0.0').bodies.limitBytes
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
