import type { Usage } from '../contract/dialect.ts'

export function usageOf(known: Partial<Usage>): Usage {
  return {
    input: 0,
    cacheRead: 0,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    inputAudio: 0,
    inputImage: 0,
    output: 0,
    reasoning: 0,
    outputAudio: 0,
    outputImage: 0,
    ...known,
  }
}

/** A count as an upstream wrote it; anything but a positive number is none. */
export function tokens(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0
}
