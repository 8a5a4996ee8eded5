import type { Usage } from '../../contract/neutral.ts'

/** Encodings differ by less than a factor of three; one token for ten of ours is no count. */
const MOST_OF_OURS = 10
/** Short texts are not judged. */
const LEAST_JUDGED = 100
/** Below so many characters for a token no text makes ten tokens of one, so that counting is left out: it costs time. */
const UNSUSPECTED_CHARS_PER_TOKEN = 10

interface Delivered {
  chars: number
  /** By our count. */
  tokens: () => number
}

/**
 * Whether an upstream's count of the output can be one for the text that it gave. Some count reasoning beside the output, so both are taken
 * together.
 */
export function isPlausible({ output, reasoning }: Usage, delivered: Delivered): boolean {
  const counted = output + reasoning
  if (delivered.chars < counted * UNSUSPECTED_CHARS_PER_TOKEN) return true
  if (delivered.chars < LEAST_JUDGED) return true
  const tokens = delivered.tokens()
  return tokens < LEAST_JUDGED || counted * MOST_OF_OURS >= tokens
}
