// OpenAI's Realtime API for translations: speech in another language comes as the client's speech goes, without answers. Sold by the minute of the
// client's sound (developers.openai.com, guide "Realtime translation").
import { realtimeSeconds } from '../../../billing/counting/audio-tokens.ts'
import type { JsonObject } from '../../../contract/json.ts'
import type { Usage } from '../../../contract/neutral.ts'
import { bytesOf } from './conversation-count.ts'
import { writeOpenaiError } from './openai-realtime.ts'
import type { Ended, SessionMeter, SessionProtocol } from './session-protocol.ts'
import { SoldSeconds } from './sold-seconds.ts'

export const openaiTranslation: SessionProtocol = {
  api: 'realtime.translation',
  dialect: 'openai-chat',
  keyPlaces: { realtime: true },
  farewell: JSON.stringify({ type: 'session.close' }),
  meter: () => new TranslationMeter(),
  promptOf: () => undefined,
  writeError: writeOpenaiError,
}

class TranslationMeter implements SessionMeter {
  readonly #sold = new SoldSeconds()
  #seconds = 0
  isAnswering = false

  sent({ type, audio }: JsonObject): void {
    if (type === 'session.input_audio_buffer.append')
      this.#seconds += realtimeSeconds(bytesOf(audio), 'pcm16')
  }

  received({ type }: JsonObject): Ended | undefined {
    this.isAnswering = type !== 'session.closed'
    if (!this.isAnswering) return { due: this.#sold.take(this.#seconds), isLast: true }
    const due = this.dueByTime()
    return due && { due }
  }

  /** Sound may come for as long as the upstream is silent. */
  dueByTime(): Usage | undefined {
    return this.#sold.takeDue(this.#seconds)
  }

  running(): Usage {
    return this.#sold.running(this.#seconds)
  }

  rest(): Usage | undefined {
    return this.#sold.take(this.#seconds)
  }
}
