// OpenAI's Realtime API for transcripts: the client's speech comes back as text, without answers. The client's first message names the model
// (developers.openai.com, guide "Realtime transcription").
import { realtimeSeconds, transcriptionTokens } from '../../../billing/counting/audio-tokens.ts'
import { objectOf, type JsonObject } from '../../../contract/json.ts'
import type { Usage } from '../../../contract/neutral.ts'
import { usageOf } from '../../operations/operation-usage.ts'
import { bytesOf } from './conversation-count.ts'
import { formatIn, formatOf, writeOpenaiError, type AudioFormat } from './openai-realtime.ts'
import { SoundBuffer } from './sound-buffer.ts'
import type { Ended, SessionMeter, SessionProtocol } from './session-protocol.ts'
import { soundUsage } from './sold-seconds.ts'

export const openaiTranscription: SessionProtocol = {
  api: 'realtime.transcription',
  dialect: 'openai-chat',
  keyPlaces: { realtime: true },
  opening: {
    field: 'session.audio.input.transcription.model',
    // Some clients speak only when they have been greeted, and the upstream that would greet them is not known before.
    greeting: JSON.stringify({ type: 'session.created', session: { type: 'transcription' } }),
    modelOf({ type, session }) {
      const { model } = objectOf(inputOf(session)['transcription'])
      return type === 'session.update' && typeof model === 'string' ? model : undefined
    },
    withModel(frame, model) {
      const session = objectOf(frame['session'])
      const input = inputOf(session)
      const transcription = { ...objectOf(input['transcription']), model }
      const audio = { ...objectOf(session['audio']), input: { ...input, transcription } }
      return { ...frame, session: { ...session, audio } }
    },
  },
  // What was heard is written down before the session ends.
  farewell: JSON.stringify({ type: 'input_audio_buffer.commit' }),
  meter: () => new TranscriptMeter(),
  promptOf: ({ session }) => ({ prompt: objectOf(inputOf(session)['transcription'])['prompt'] }),
  writeError: writeOpenaiError,
}

function inputOf(session: unknown): JsonObject {
  return objectOf(objectOf(objectOf(session)['audio'])['input'])
}

/** Pieces of sound overlap where one transcript ends and the next begins. */
const MOST_SECONDS_AHEAD = 60

class TranscriptMeter implements SessionMeter {
  #format: AudioFormat = 'pcm16'
  readonly #buffer = new SoundBuffer()
  /** Of sound that no transcript has covered yet. */
  #seconds = 0
  /** Part of that sound's text has come. */
  #isHeard = false

  get isAnswering(): boolean {
    return this.#seconds > 0
  }

  sent({ type, audio, session }: JsonObject): void {
    const format = type === 'session.update' ? formatIn(inputOf(session)) : undefined
    // What an update leaves out stays as it was.
    if (format !== undefined) this.#format = formatOf(format)
    if (type === 'input_audio_buffer.clear') this.#buffer.askClear()
    if (type !== 'input_audio_buffer.append') return
    const seconds = realtimeSeconds(bytesOf(audio), this.#format)
    this.#seconds += seconds
    this.#buffer.append(seconds)
  }

  received({ type, usage }: JsonObject): Ended | undefined {
    if (type === 'conversation.item.input_audio_transcription.delta') this.#isHeard = true
    if (type === 'input_audio_buffer.committed') this.#buffer.commit()
    if (type === 'input_audio_buffer.cleared')
      this.#seconds = Math.max(0, this.#seconds - this.#buffer.clear())
    if (type !== 'conversation.item.input_audio_transcription.completed') return undefined
    const due = this.#told(objectOf(usage)) ?? this.running()
    this.#startAnew()
    return { due }
  }

  /** Sound costs nothing before its transcript, but the balance must be there for it. */
  dueByTime(): undefined {
    return undefined
  }

  running(): Usage {
    return { ...soundUsage(transcriptionTokens(this.#seconds)), isEstimated: true }
  }

  rest(): Usage | undefined {
    if (!this.#isHeard) return undefined
    const rest = this.running()
    this.#startAnew()
    return rest
  }

  /** What the upstream counts by the time, if that can be true for the sound that was sent, or by tokens. */
  #told(usage: JsonObject): Usage | undefined {
    const { seconds } = usage
    if (typeof seconds === 'number')
      return seconds > 0 && seconds <= this.#seconds + MOST_SECONDS_AHEAD
        ? soundUsage(transcriptionTokens(seconds))
        : undefined
    const counted = usageOf(usage)
    return counted.input > 0 ? counted : undefined
  }

  #startAnew(): void {
    this.#seconds = 0
    this.#isHeard = false
  }
}
