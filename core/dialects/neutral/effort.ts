// Converts between the ways in which the dialects ask for reasoning.
import type { Effort, ReasoningWish } from '../../contract/neutral.ts'

const EFFORTS: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

export function isEffort(value: unknown): value is Effort {
  return typeof value === 'string' && (EFFORTS as readonly string[]).includes(value)
}

const CLAUDE_BUDGETS: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1024,
  low: 1280,
  medium: 2048,
  high: 4096,
  xhigh: 16_384,
  max: 32_768,
}

/** The requested effort, by name or by budget; undefined if the client leaves it to the model. */
export function effortOf(wish: ReasoningWish | undefined): Effort | undefined {
  if (wish?.effort !== undefined) return wish.effort
  const budget = wish?.budget
  if (budget === undefined || budget < 0) return undefined
  if (budget === 0) return 'none'
  if (budget < 2048) return 'low'
  return budget < 8192 ? 'medium' : 'high'
}

/** Reasoning tokens for a Claude model with budgets; 0 switches reasoning off, undefined means no request. */
export function claudeBudgetOf(wish: ReasoningWish | undefined): number | undefined {
  if (wish?.budget !== undefined && wish.budget >= 0) {
    return wish.budget === 0 ? 0 : Math.max(1024, wish.budget)
  }
  return wish?.effort === undefined ? undefined : CLAUDE_BUDGETS[wish.effort]
}

/** The nearest level that the model supports; of two equally near, the lower one. */
export function nearestEffort(effort: Effort, known: readonly Effort[]): Effort {
  const wanted = EFFORTS.indexOf(effort)
  let best = known[0] ?? effort
  for (const candidate of known) {
    const distance = Math.abs(EFFORTS.indexOf(candidate) - wanted)
    if (distance < Math.abs(EFFORTS.indexOf(best) - wanted)) best = candidate
  }
  return best
}
