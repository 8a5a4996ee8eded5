// OpenAI's Realtime API, in both generations of its events (beta and general): a conversation whose answers are charged one by one.
import { realtimeSeconds, realtimeTokens } from '../../../billing/counting/audio-tokens.ts'
import type { ClientError } from '../../../contract/dialect.ts'
import { isObject, type JsonObject } from '../../../contract/json.ts'
import type { Usage } from '../../../contract/neutral.ts'
import { codecs } from '../../../dialects/index.ts'
import { addCalls, noUsage, tokens } from '../../../dialects/neutral/usage.ts'
import { usageOf } from '../../operations/operation-usage.ts'
import { bytesOf, ConversationCount } from './conversation-count.ts'
import { SoundBuffer } from './sound-buffer.ts'
import type { Ended, SessionMeter, SessionProtocol } from './session-protocol.ts'

export const openaiRealtime: SessionProtocol = {
  api: 'realtime',
  dialect: 'openai-chat',
  keyPlaces: { realtime: true },
  meter: (model) => new RealtimeMeter(model),
  promptOf(frame) {
    switch (frame['type']) {
      case 'conversation.item.create':
        return { input: [frame['item']] }
      case 'response.create':
        return isObject(frame['response']) ? frame['response'] : undefined
      case 'session.update':
        return isObject(frame['session']) ? frame['session'] : undefined
      default:
        return undefined
    }
  },
  writeError: writeOpenaiError,
}

export function writeOpenaiError(error: ClientError): { frame: string; reason: string } {
  const frame = {
    type: 'error',
    event_id: `evt_${error.requestId}`,
    ...codecs['openai-chat'].writeError(error),
  }
  return { frame: JSON.stringify(frame), reason: String(error.code ?? '') }
}

export type AudioFormat = Parameters<typeof realtimeSeconds>[1]

/** Limits names of models that clients choose, because they go into the receipt. */
const LONGEST_NAME = 60

/** How many tokens of sound one second of speech is in the usage of a transcript (platform.openai.com, realtime costs). */
const TRANSCRIBED_TOKENS_PER_SECOND = 10

type Reader = (meter: RealtimeMeter, frame: JsonObject) => Ended | undefined | void

const readers: ReadonlyMap<unknown, Reader> = new Map<unknown, Reader>([
  ['session.created', (meter, frame) => meter.readFormats(frame['session'])],
  ['session.updated', (meter, frame) => meter.readFormats(frame['session'])],
  ['input_audio_buffer.committed', (meter) => meter.commitSound()],
  ['input_audio_buffer.cleared', (meter) => meter.clearSound()],
  ['conversation.item.created', (meter, frame) => meter.addItem(frame['item'])],
  ['conversation.item.added', (meter, frame) => meter.addItem(frame['item'])],
  [
    'conversation.item.input_audio_transcription.completed',
    (meter, frame) => meter.addTranscript(frame['usage']),
  ],
  ['response.created', (meter) => meter.beginAnswer()],
  ['response.done', (meter, frame) => meter.endAnswer(frame['response'])],
  ['response.audio.delta', addAudio],
  ['response.output_audio.delta', addAudio],
  ['response.text.delta', addText],
  ['response.output_text.delta', addText],
  ['response.audio_transcript.delta', addText],
  ['response.output_audio_transcript.delta', addText],
  ['response.function_call_arguments.delta', addText],
])

function addAudio(meter: RealtimeMeter, frame: JsonObject): void {
  meter.addOutput({ audio: frame['delta'] })
}

function addText(meter: RealtimeMeter, frame: JsonObject): void {
  meter.addOutput({ text: frame['delta'] })
}

class RealtimeMeter implements SessionMeter {
  readonly #count: ConversationCount
  #inputFormat: AudioFormat = 'pcm16'
  #outputFormat: AudioFormat = 'pcm16'
  #transcriber = ''
  readonly #buffer = new SoundBuffer()
  /** Sound that no transcript has covered yet. */
  #unheardSeconds = 0
  /** The client's speech that another model transcribes, which the usage of answers does not include: seconds, by the
   *  name of their price. */
  #transcribed: Readonly<Record<string, number>> | undefined
  /** Answers that have begun and not ended. There may be several: those outside of the conversation run beside others. */
  #answers = 0

  constructor(model: string) {
    this.#count = new ConversationCount(model, realtimeTokens)
  }

  get isAnswering(): boolean {
    return this.#answers > 0
  }

  sent(frame: JsonObject): void {
    if (frame['type'] === 'input_audio_buffer.append') {
      const seconds = realtimeSeconds(bytesOf(frame['audio']), this.#inputFormat)
      this.#buffer.append(seconds)
      this.#unheardSeconds += seconds
    } else if (frame['type'] === 'input_audio_buffer.clear') {
      this.#buffer.askClear()
    } else if (frame['type'] === 'session.update' && isObject(frame['session'])) {
      const { instructions, tools } = frame['session']
      this.#count.addInput({ text: instructions })
      if (Array.isArray(tools)) this.#count.addInput({ text: JSON.stringify(tools) })
    }
  }

  received(frame: JsonObject): Ended | undefined {
    return readers.get(frame['type'])?.(this, frame) ?? undefined
  }

  commitSound(): void {
    this.#count.addInput({ seconds: this.#buffer.commit() })
  }

  clearSound(): void {
    this.#unheardSeconds = Math.max(0, this.#unheardSeconds - this.#buffer.clear())
  }

  running(): Usage {
    this.#takeSound()
    return this.#withTranscribed(this.#count.roughly())
  }

  rest(): Usage | undefined {
    this.#takeSound()
    return this.isAnswering && this.#count.hasOutput
      ? this.#withTranscribed(this.#count.counted())
      : this.#takeTranscribed()
  }

  beginAnswer(): void {
    this.#answers += 1
  }

  endAnswer(response: unknown): Ended {
    this.#takeSound()
    const answer = this.#count.answer(reportedUsage(response))
    const due = answer ? this.#withTranscribed(answer) : this.#takeTranscribed()
    this.#answers = Math.max(0, this.#answers - 1)
    this.#transcribed = undefined
    this.#count.startAnew()
    return { due }
  }

  addOutput({ audio, text }: { audio?: unknown; text?: unknown }): void {
    const seconds = realtimeSeconds(bytesOf(audio), this.#outputFormat)
    this.#count.addOutput({ seconds, text })
  }

  /** Speech that no answer follows is charged by itself. */
  addTranscript(usage: unknown): Ended | undefined {
    const seconds = secondsIn(usage) || this.#unheardSeconds
    this.#unheardSeconds = 0
    const price = `input_transcription${this.#transcriber === '' ? '' : `_${this.#transcriber}`}`
    this.#transcribed = addCalls(this.#transcribed, { [price]: Math.ceil(seconds) })
    return this.isAnswering ? undefined : { due: this.#takeTranscribed() }
  }

  /** The audio in an item is counted when the item is appended. */
  addItem(item: unknown): void {
    if (!isObject(item) || item['role'] === 'assistant') return
    for (const part of Array.isArray(item['content']) ? item['content'] : [])
      if (isObject(part)) this.#count.addInput({ text: part['text'] })
    this.#count.addInput({ text: item['output'] })
  }

  /** Beta sessions name the formats at the top level, general ones under `audio`. */
  readFormats(session: unknown): void {
    if (!isObject(session)) return
    const audio = isObject(session['audio']) ? session['audio'] : {}
    this.#inputFormat = formatOf(session['input_audio_format'] ?? formatIn(audio['input']))
    this.#outputFormat = formatOf(session['output_audio_format'] ?? formatIn(audio['output']))
    const input = isObject(audio['input']) ? audio['input'] : {}
    const transcription = session['input_audio_transcription'] ?? input['transcription']
    const model = isObject(transcription) ? transcription['model'] : undefined
    if (typeof model === 'string') this.#transcriber = model.slice(0, LONGEST_NAME)
  }

  #takeSound(): void {
    this.#count.addInput({ seconds: this.#buffer.answered() })
  }

  #takeTranscribed(): Usage | undefined {
    const toolCalls = this.#transcribed
    this.#transcribed = undefined
    return toolCalls && { ...noUsage, toolCalls }
  }

  #withTranscribed(usage: Usage): Usage {
    return this.#transcribed ? { ...usage, toolCalls: this.#transcribed } : usage
  }
}

/** Undefined if the frame reports none. */
function reportedUsage(response: unknown): Usage | undefined {
  const usage = isObject(response) ? response['usage'] : undefined
  if (!isObject(usage)) return undefined
  const found = usageOf(usage)
  return found.input + found.output === 0 ? undefined : found
}

/** Seconds of a transcript, which is counted by time or by tokens. */
function secondsIn(usage: unknown): number {
  if (!isObject(usage)) return 0
  const { input_token_details: details, seconds } = usage
  const sound = isObject(details) ? tokens(details['audio_tokens']) : 0
  return tokens(seconds) || sound / TRANSCRIBED_TOKENS_PER_SECOND
}

export function formatIn(side: unknown): unknown {
  const format = isObject(side) ? side['format'] : undefined
  return isObject(format) ? format['type'] : format
}

export function formatOf(name: unknown): AudioFormat {
  if (name === 'g711_ulaw' || name === 'audio/pcmu') return 'g711_ulaw'
  return name === 'g711_alaw' || name === 'audio/pcma' ? 'g711_alaw' : 'pcm16'
}
