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

export const noUsage: Usage = Object.freeze(usageOf({}))

/** More than any answer holds; a larger figure is a fault, and would ruin the account that it is charged to. */
const MOST_TOKENS = 1_000_000_000

/** A count as an upstream wrote it; anything but a positive number that can be is none. */
export function tokens(value: unknown): number {
  return typeof value === 'number' && value > 0 && value <= MOST_TOKENS ? Math.round(value) : 0
}
