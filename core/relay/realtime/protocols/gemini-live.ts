// Gemini's Live API: turns of a conversation, each charged by the usage that comes with its end (ai.google.dev, Live API reference).
import { isObject, objectOf, type JsonObject } from '../../../contract/json.ts'
import type { Usage } from '../../../contract/neutral.ts'
import { camelKeys } from '../../../dialects/gemini/fields.ts'
import { readUsage } from '../../../dialects/gemini/usage.ts'
import { bytesOf, ConversationCount } from './conversation-count.ts'
import type { Ended, SessionMeter, SessionProtocol } from './session-protocol.ts'

export const geminiLive: SessionProtocol = {
  api: 'gemini.live',
  dialect: 'gemini',
  keyPlaces: { gemini: true },
  opening: {
    field: 'setup.model',
    modelOf(frame) {
      const { model } = objectOf(frame['setup'])
      return typeof model === 'string' ? modelName(model) : undefined
    },
    withModel: (frame, model) => ({
      ...frame,
      setup: { ...objectOf(frame['setup']), model: isPath(model) ? model : `models/${model}` },
    }),
  },
  meter: (model) => new TurnMeter(model),
  promptOf,
  // An error is the reason of the close frame.
  writeError: ({ message }) => ({ reason: message }),
}

/** `models/x`, and the path of a model of Vertex AI. */
function modelName(path: string): string {
  const place = path.lastIndexOf('models/')
  return isPath(path) ? path.slice(place + 'models/'.length) : path
}

function isPath(model: string): boolean {
  return /(?:^|\/)models\//.test(model)
}

/** All that a frame holds, though the API takes one of these at a time. */
function promptOf(frame: JsonObject): JsonObject | undefined {
  const { setup, clientContent, realtimeInput, toolResponse } = camelKeys(frame)
  const { functionResponses } = camelKeys(objectOf(toolResponse))
  const parts = [
    { text: objectOf(realtimeInput)['text'] },
    { functionResponse: { response: functionResponses } },
  ]
  const contents = [objectOf(clientContent)['turns'], { parts }]
  return { ...camelKeys(objectOf(setup)), contents }
}

/** Sound is 25 tokens a second in both directions (ai.google.dev, Live API, "Audio"). */
const TOKENS_PER_SECOND = 25
const soundTokens = ({ input, output }: { input: number; output: number }) => ({
  input: Math.round(input * TOKENS_PER_SECOND),
  output: Math.round(output * TOKENS_PER_SECOND),
})

/** Raw sound of 16 bits: 16 000 samples a second from the client unless it says otherwise, 24 000 to it. */
const BYTES_PER_SAMPLE = 2
const INPUT_RATE = 16_000
const OUTPUT_RATE = 24_000

class TurnMeter implements SessionMeter {
  readonly #count: ConversationCount
  #reported: Usage | undefined
  /** A turn is complete, but its usage may still come. */
  #isOwed = false
  isAnswering = false

  constructor(model: string) {
    this.#count = new ConversationCount(model, soundTokens)
  }

  sent(frame: JsonObject): void {
    const { setup, clientContent, realtimeInput } = camelKeys(frame)
    const { systemInstruction } = camelKeys(objectOf(setup))
    for (const text of textsIn(systemInstruction)) this.#count.addInput({ text })
    for (const turn of listOf(objectOf(clientContent)['turns']))
      for (const text of textsIn(turn)) this.#count.addInput({ text })
    const { audio, mediaChunks, text } = camelKeys(objectOf(realtimeInput))
    this.#count.addInput({ text })
    for (const chunk of [audio, ...listOf(mediaChunks)])
      this.#count.addInput({ seconds: secondsOf(objectOf(chunk)) })
  }

  received(frame: JsonObject): Ended | undefined {
    const usage = readTurnUsage(frame['usageMetadata'])
    const { modelTurn, turnComplete, outputTranscription } = objectOf(frame['serverContent'])
    const isWork = modelTurn !== undefined || isObject(frame['toolCall'])
    // The turn before this one ended without a report.
    const late = this.#isOwed && isWork && !usage ? this.#end() : undefined
    this.#reported = usage ?? this.#reported
    for (const part of listOf(objectOf(modelTurn)['parts'])) this.#addPart(objectOf(part))
    this.#count.addOutput({ text: objectOf(outputTranscription)['text'] })
    if (isWork) this.isAnswering = true
    if (turnComplete === true) {
      this.isAnswering = false
      this.#isOwed = true
    }
    return this.#isOwed && this.#reported ? this.#end() : late
  }

  running(): Usage {
    return this.#count.roughly()
  }

  rest(): Usage | undefined {
    return this.#reported || this.#count.hasOutput ? this.#end().due : undefined
  }

  #end(): Ended {
    const due = this.#count.answer(this.#reported)
    this.#reported = undefined
    this.#isOwed = false
    this.#count.startAnew()
    return { due }
  }

  #addPart({ text, inlineData }: JsonObject): void {
    const seconds = bytesOf(objectOf(inlineData)['data']) / (OUTPUT_RATE * BYTES_PER_SAMPLE)
    this.#count.addOutput({ seconds, text })
  }
}

/** As the usage of any answer, but for the names of two fields. */
function readTurnUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined
  const { responseTokenCount, responseTokensDetails } = value
  const usage = readUsage({
    ...value,
    candidatesTokenCount: responseTokenCount,
    candidatesTokensDetails: responseTokensDetails,
  })
  return usage && usage.input + usage.output > 0 ? usage : undefined
}

function secondsOf(blob: JsonObject): number {
  const { data, mimeType } = camelKeys(blob)
  if (typeof mimeType !== 'string' || !mimeType.startsWith('audio/')) return 0
  const rate = Number(/rate=([1-9]\d{3,5})/.exec(mimeType)?.[1] ?? INPUT_RATE)
  return bytesOf(data) / (rate * BYTES_PER_SAMPLE)
}

function textsIn(content: unknown): unknown[] {
  return listOf(objectOf(content)['parts']).map((part) => objectOf(part)['text'])
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
