import type { Usage } from '../../contract/neutral.ts'

/** Encodings differ by less than a factor of three, so a report of one token where we count ten is wrong. */
const MOST_OF_OURS = 10
/** Shorter texts are not checked. */
const LEAST_JUDGED = 100
/** A text with fewer characters per token than this cannot fail the check, so the costly count is skipped. */
const UNSUSPECTED_CHARS_PER_TOKEN = 10

interface Delivered {
  chars: number
  /** Tokens by our own count. */
  tokens: () => number
}

/** Whether the output that an upstream reports can be right for the text that it delivered. Some upstreams report
 *  reasoning separately from the output, so the sum of both is compared. */
export function isPlausible({ output, reasoning }: Usage, delivered: Delivered): boolean {
  const counted = output + reasoning
  if (delivered.chars < counted * UNSUSPECTED_CHARS_PER_TOKEN) return true
  if (delivered.chars < LEAST_JUDGED) return true
  const tokens = delivered.tokens()
  return tokens < LEAST_JUDGED || counted * MOST_OF_OURS >= tokens
}
