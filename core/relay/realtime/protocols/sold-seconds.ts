import { transcriptionTokens } from '../../../billing/counting/audio-tokens.ts'
import type { Usage } from '../../../contract/neutral.ts'
import { noUsage } from '../../../dialects/neutral/usage.ts'

/** After so much of a session at the latest what was used is charged. */
const A_CHARGE_SECONDS = 30

/** A session that is sold by the second, in the tokens that a price per minute applies to. */
export class SoldSeconds {
  #seconds = 0
  #tokens = 0

  /** What is used up to that second and not charged yet; from now on it counts as charged. */
  take(seconds: number): Usage | undefined {
    const tokens = transcriptionTokens(seconds) - this.#tokens
    if (tokens <= 0) return undefined
    this.#seconds = seconds
    this.#tokens += tokens
    return soundUsage(tokens)
  }

  /** The same as soon as it is worth a charge. */
  takeDue(seconds: number): Usage | undefined {
    return seconds - this.#seconds >= A_CHARGE_SECONDS ? this.take(seconds) : undefined
  }

  running(seconds: number): Usage {
    return soundUsage(Math.max(0, transcriptionTokens(seconds) - this.#tokens))
  }
}

/** What costs as much as so many tokens of the client's sound. */
export function soundUsage(tokens: number): Usage {
  return { ...noUsage, input: tokens, inputAudio: tokens }
}
