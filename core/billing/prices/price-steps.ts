// Prices that rise with the length of the prompt: if it has at least one token more than a step, the whole call costs
// that step's multiple.
import type { JsonObject } from '../../contract/json.ts'
import type { PriceStep } from '../../contract/prices.ts'
import type { PriceSnapshot } from '../../contract/services.ts'

/** Prompt tokens are estimated before the call. If the prompt may be this much longer, the dearer step is reserved. */
const ESTIMATE_MARGIN = 1.25

/** The step that a prompt of this length has reached; undefined below the first. */
export function stepOf(
  { mode, steps }: Pick<PriceSnapshot, 'mode' | 'steps'>,
  promptTokens: number,
): PriceStep | undefined {
  return mode === 'ratio' ? steps?.findLast(({ above }) => promptTokens > above) : undefined
}

/** The step for which to reserve. */
export function likelyStep(price: PriceSnapshot, estimatedPrompt: number): PriceStep | undefined {
  return stepOf(price, Math.ceil(estimatedPrompt * ESTIMATE_MARGIN))
}

/** A step as rows and receipts show it. */
export function wireStep({ above, input, output, cacheRead }: PriceStep): JsonObject {
  return { above, input, output, ...(cacheRead === undefined ? {} : { cache_read: cacheRead }) }
}

/** Whether each step begins above the one before it. */
export function areSorted(steps: readonly PriceStep[]): boolean {
  return steps.every(({ above }, at) => at === 0 || above > (steps[at - 1]?.above ?? 0))
}
