// Counts what passes through a realtime session from its frames, of both generations of events (beta and general).
import { realtimeSeconds, realtimeTokens } from '../../billing/counting/audio-tokens.ts'
import { isPlausible } from '../../billing/counting/plausible-output.ts'
import { TokenCounter } from '../../billing/counting/count-tokens.ts'
import type { Usage } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { usageOf } from '../operations/operation-usage.ts'
import { addCalls, noUsage, tokens } from '../../dialects/neutral/usage.ts'

type AudioFormat = Parameters<typeof realtimeSeconds>[1]

/** Limits names of models that clients choose, because they go into the receipt. */
const LONGEST_NAME = 60

/** OpenAI's documentation counts a token of English as four characters. */
const CHARS_PER_TOKEN = 4

/** How many tokens of sound one second of speech is in the usage of a transcript (platform.openai.com, realtime costs). */
const TRANSCRIBED_TOKENS_PER_SECOND = 10

type Reader = (meter: RealtimeMeter, frame: JsonObject) => void

const readers: ReadonlyMap<unknown, Reader> = new Map<unknown, Reader>([
  ['session.created', (meter, frame) => meter.readFormats(frame['session'])],
  ['session.updated', (meter, frame) => meter.readFormats(frame['session'])],
  ['conversation.item.created', (meter, frame) => meter.addItem(frame['item'])],
  ['conversation.item.added', (meter, frame) => meter.addItem(frame['item'])],
  [
    'conversation.item.input_audio_transcription.completed',
    (meter, frame) => meter.addTranscript(frame['usage']),
  ],
  ['response.created', (meter) => meter.beginAnswer()],
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

/** Counts what has passed since the last answer that was billed. */
export class RealtimeMeter {
  readonly #model: string
  #inputFormat: AudioFormat = 'pcm16'
  #outputFormat: AudioFormat = 'pcm16'
  #inputBytes = 0
  #outputBytes = 0
  #inputText: CountedText
  #outputText: CountedText
  #transcriber = ''
  /** Sound that no transcript has covered yet. */
  #unheardBytes = 0
  /** The client's speech that another model transcribes, which the usage of answers does not include: seconds, by the
   *  name of their price. */
  transcribed: Readonly<Record<string, number>> | undefined
  /** Answers that have begun and not ended. There may be several: those outside of the conversation run beside others. */
  #answers = 0

  constructor(model: string) {
    this.#model = model
    this.#inputText = new CountedText(model)
    this.#outputText = new CountedText(model)
  }

  get isAnswering(): boolean {
    return this.#answers > 0
  }

  get hasOutput(): boolean {
    return this.#outputBytes > 0 || this.#outputText.length > 0
  }

  /** Counts a frame of the client. */
  sent(frame: JsonObject): void {
    if (frame['type'] === 'input_audio_buffer.append') {
      const bytes = bytesOf(frame['audio'])
      this.#inputBytes += bytes
      this.#unheardBytes += bytes
    } else if (frame['type'] === 'session.update' && isObject(frame['session'])) {
      const { instructions, tools } = frame['session']
      if (typeof instructions === 'string') this.#inputText.add(instructions)
      if (Array.isArray(tools)) this.#inputText.add(JSON.stringify(tools))
    }
  }

  /** Counts a frame of the upstream. */
  received(frame: JsonObject): void {
    readers.get(frame['type'])?.(this, frame)
  }

  beginAnswer(): void {
    this.#answers += 1
  }

  /** The usage of the answer by our own count, for upstreams that report none. */
  counted(): Usage {
    return this.#usage((text) => text.tokens())
  }

  /** A quick estimate of the same, without loading the tables of an encoding: good enough to see that the money is running out. */
  roughly(): Usage {
    return this.#usage((text) => Math.ceil(text.length / CHARS_PER_TOKEN))
  }

  /** What was delivered, as text or as sound. If both came, one is the transcript of the other, and the larger counts. */
  delivered(): { chars: number; tokens: () => number } {
    const tokens = () => {
      const { output, outputAudio } = this.counted()
      return Math.max(output - outputAudio, outputAudio)
    }
    const { output, outputAudio } = this.roughly()
    const chars = Math.max(output - outputAudio, outputAudio) * CHARS_PER_TOKEN
    return { chars, tokens }
  }

  /** Starts anew after an answer has ended. */
  startAnew(): void {
    this.#answers = Math.max(0, this.#answers - 1)
    this.transcribed = undefined
    this.#inputBytes = 0
    this.#outputBytes = 0
    this.#inputText = new CountedText(this.#model)
    this.#outputText = new CountedText(this.#model)
  }

  addOutput({ audio, text }: { audio?: unknown; text?: unknown }): void {
    this.#outputBytes += bytesOf(audio)
    if (typeof text === 'string') this.#outputText.add(text)
  }

  addTranscript(usage: unknown): void {
    const seconds = secondsIn(usage) || realtimeSeconds(this.#unheardBytes, this.#inputFormat)
    this.#unheardBytes = 0
    const price = `input_transcription${this.#transcriber === '' ? '' : `_${this.#transcriber}`}`
    this.transcribed = addCalls(this.transcribed, { [price]: Math.ceil(seconds) })
  }

  /** The speech heard since the last call; from now on it counts as charged. */
  takeTranscribed(): Usage | undefined {
    const { transcribed } = this
    this.transcribed = undefined
    return transcribed && { ...noUsage, toolCalls: transcribed }
  }

  /** The audio in an item is counted when the item is appended. */
  addItem(item: unknown): void {
    if (!isObject(item) || item['role'] === 'assistant') return
    for (const part of Array.isArray(item['content']) ? item['content'] : [])
      if (isObject(part) && typeof part['text'] === 'string') this.#inputText.add(part['text'])
    if (typeof item['output'] === 'string') this.#inputText.add(item['output'])
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

  #usage(tokensOf: (text: CountedText) => number): Usage {
    const audio = realtimeTokens({
      input: realtimeSeconds(this.#inputBytes, this.#inputFormat),
      output: realtimeSeconds(this.#outputBytes, this.#outputFormat),
    })
    return {
      ...noUsage,
      input: tokensOf(this.#inputText) + audio.input,
      inputAudio: audio.input,
      output: tokensOf(this.#outputText) + audio.output,
      outputAudio: audio.output,
      isEstimated: true,
      ...(this.transcribed ? { toolCalls: this.transcribed } : {}),
    }
  }
}

class CountedText {
  readonly #counter: TokenCounter
  length = 0

  constructor(model: string) {
    this.#counter = new TokenCounter(model)
  }

  add(text: string): void {
    this.length += text.length
    this.#counter.add(text)
  }

  tokens(): number {
    return this.#counter.total()
  }
}

/** The usage of an answer that has ended: as its frame reports it, if that is plausible for what came, else by our count. */
export function answerUsage(meter: RealtimeMeter, frame: JsonObject): Usage | undefined {
  const usage = usageOfAnswer(meter, frame)
  const transcribed = meter.takeTranscribed()
  return usage && transcribed
    ? { ...usage, ...(transcribed.toolCalls ? { toolCalls: transcribed.toolCalls } : {}) }
    : (usage ?? transcribed)
}

function usageOfAnswer(meter: RealtimeMeter, frame: JsonObject): Usage | undefined {
  const reported = reportedUsage(frame)
  if (!meter.hasOutput) return reported
  if (reported && reported.output > 0 && isPlausible(reported, meter.delivered())) return reported
  const counted = meter.counted()
  if (!reported) return counted
  const { output, outputAudio } = counted
  return { ...reported, output, outputAudio, isEstimated: true }
}

/** Undefined if the frame reports none. */
function reportedUsage(frame: JsonObject): Usage | undefined {
  const response = frame['response']
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

function formatIn(side: unknown): unknown {
  const format = isObject(side) ? side['format'] : undefined
  return isObject(format) ? format['type'] : format
}

function formatOf(name: unknown): AudioFormat {
  if (name === 'g711_ulaw' || name === 'audio/pcmu') return 'g711_ulaw'
  return name === 'g711_alaw' || name === 'audio/pcma' ? 'g711_alaw' : 'pcm16'
}

function bytesOf(base64: unknown): number {
  return typeof base64 === 'string' ? Math.floor((base64.length * 3) / 4) : 0
}
