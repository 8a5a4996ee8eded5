// Prices that rise with the length of the prompt: from one token above a step on, the whole call costs its multiple.
import type { JsonObject } from '../../contract/json.ts'
import type { PriceStep } from '../../contract/prices.ts'
import type { PriceSnapshot } from '../../contract/services.ts'

/** A prompt's tokens are estimated before the call; one that may be that much longer reserves at the dearer step. */
const ESTIMATE_MARGIN = 1.25

/** The step that a prompt of so many tokens has reached; undefined below the first. */
export function stepOf(
  { mode, steps }: Pick<PriceSnapshot, 'mode' | 'steps'>,
  promptTokens: number,
): PriceStep | undefined {
  return mode === 'ratio' ? steps?.findLast(({ above }) => promptTokens > above) : undefined
}

/** The step to reserve for. */
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
