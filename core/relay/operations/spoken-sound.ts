// Measures speech that is charged by tokens of sound and whose upstream reports no usage beside the bytes. Done when all of it has arrived.
import { mostSeconds } from '../../billing/sound/audio-bounds.ts'
import { audioSeconds } from '../../billing/sound/audio-seconds.ts'
import {
  likelySpeechTokens,
  realtimeSeconds,
  sellsSound,
  speechTokens,
} from '../../billing/counting/audio-tokens.ts'
import { fieldOf } from '../charge/price-call.ts'
import type { RelayCall } from '../call/relay-call.ts'

/** More than twice the size that the longest text has as uncompressed sound. Beyond it the length is extrapolated. */
const MOST_KEPT_BYTES = 64 * 1_048_576

export class SpokenSound {
  readonly #isRaw: boolean
  readonly #chunks: Uint8Array[] = []
  #kept = 0
  #bytes = 0

  constructor(isRaw: boolean) {
    this.#isRaw = isRaw
  }

  take(chunk: Uint8Array): void {
    this.#bytes += chunk.length
    if (this.#isRaw || this.#kept + chunk.length > MOST_KEPT_BYTES) return
    this.#kept += chunk.length
    this.#chunks.push(chunk)
  }

  /** @param textTokens tokens of the text that was spoken; used for sound that came in events or cannot be read */
  async tokens(textTokens: number): Promise<number> {
    if (this.#bytes === 0) return likelySpeechTokens(textTokens)
    if (this.#isRaw) return speechTokens(realtimeSeconds(this.#bytes, 'pcm16'))
    const seconds = await audioSeconds(Buffer.concat(this.#chunks, this.#kept))
    if (seconds === mostSeconds(this.#kept)) return likelySpeechTokens(textTokens)
    return speechTokens((seconds * this.#bytes) / this.#kept)
  }
}

/** Undefined if sound is not charged. */
export function spokenSound(call: RelayCall): SpokenSound | undefined {
  if (call.operation !== 'audio.speech' || !sellsSound(call.requestedModel)) return undefined
  if (call.unitPrice.mode === 'price') return undefined
  return new SpokenSound(fieldOf(call, 'response_format') === 'pcm')
}
