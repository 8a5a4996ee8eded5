import type { PriceSnapshot } from '../../contract/services.ts'
import { add, exact, multiply, roundUp } from '../decimal.ts'
import { likelyStep } from './price-steps.ts'
import { callPrice, countOf, toUnits, unitPrices } from './receipt.ts'

/** Clients often ask for 128 000 answer tokens by habit; reserving all of them would refuse customers with small balances. */
const ANSWER_TOKENS_RESERVED = 8192

/** Units to reserve before a call: rounded up, 0 for free models.
 *  @throws price.overflow */
export function estimateUnits(
  price: PriceSnapshot,
  input: { promptTokens: number; maxTokens: number; answers?: number; leastPromptTokens: number },
): number {
  if (price.mode === 'price') return toUnits(roundUp(callPrice(price)))
  const prompt = Math.max(countOf(input.promptTokens), countOf(input.leastPromptTokens))
  const answer = Math.min(countOf(input.maxTokens), ANSWER_TOKENS_RESERVED) * (input.answers ?? 1)
  const units = unitPrices(price, likelyStep(price, prompt))
  const asked = multiply(exact(prompt), units.input.price)
  return toUnits(roundUp(add(asked, multiply(exact(answer), units.output.price))))
}
