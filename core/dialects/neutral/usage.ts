import type { Usage } from '../../contract/neutral.ts'

/** What an upstream has reported. The cache's counts are parts of the prompt, so they are believed up to its length. */
export function usageOf(known: Partial<Usage>): Usage {
  const { input = 0, cacheRead = 0, cacheWrite5m = 0, cacheWrite1h = 0 } = known
  const read = Math.min(cacheRead, input)
  const written5m = Math.min(cacheWrite5m, input - read)
  return {
    inputAudio: 0,
    inputImage: 0,
    output: 0,
    reasoning: 0,
    outputAudio: 0,
    outputImage: 0,
    ...known,
    input,
    cacheRead: read,
    cacheWrite5m: written5m,
    cacheWrite1h: Math.min(cacheWrite1h, input - read - written5m),
  }
}

export const noUsage: Usage = Object.freeze(usageOf({}))

/** More than any answer has. A larger figure must be wrong, and would ruin the account that it is charged to. */
const MOST_TOKENS = 1_000_000_000
/** The most runs of one tool in an answer. Each costs thousands of times as much as a token, so the bound is lower. */
const MOST_TOOL_CALLS = 1_000

/** A count as an upstream wrote it; 0 unless it is a plausible positive number. */
export function tokens(value: unknown): number {
  return typeof value === 'number' && value > 0 && value <= MOST_TOKENS ? Math.round(value) : 0
}

const parts = Object.keys(noUsage) as readonly (keyof typeof noUsage)[]

/** Usage with each count checked by `tokens`; the same object if all are plausible. */
export function boundedUsage(usage: Usage): Usage {
  const { toolCalls } = usage
  const areSane = parts.every((part) => isCount(usage[part]))
  if (areSane && (!toolCalls || Object.values(toolCalls).every(isCallCount))) return usage
  const counts = Object.fromEntries(parts.map((part) => [part, tokens(usage[part])]))
  const calls = toolCalls ? { toolCalls: boundedCalls(toolCalls) } : {}
  return usageOf({ ...usage, ...counts, ...calls })
}

type Calls = Readonly<Record<string, number>>

export function addCalls(one: Calls | undefined, other: Calls | undefined): Calls | undefined {
  if (!one || !other) return one ?? other
  const sum = { ...one }
  for (const [tool, count] of Object.entries(other)) sum[tool] = (sum[tool] ?? 0) + count
  return sum
}

function boundedCalls(calls: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(calls).map(([tool, count]) => [tool, isCallCount(count) ? count : 0]),
  )
}

function isCallCount(value: unknown): boolean {
  return isCount(value) && (value as number) <= MOST_TOOL_CALLS
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST_TOKENS
}
