// Event streams of pictures, speech and transcripts. Events are passed on one by one, the newest held back, so that the
// last one can wait for the settlement.
import type { SseEvent } from '../../contract/dialect.ts'
import { UpstreamError } from '../../contract/errors.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { previewedTokens } from '../../billing/counting/drawn-tokens.ts'
import { codecs } from '../../dialects/index.ts'
import { findFailureInSuccess, unknownFailure } from '../../upstream-failures/read-failure-body.ts'
import { SseSplitter } from '../../wire/sse.ts'
import { settleBytes, type PlainExchange, type BytesDeps } from './answer-bytes.ts'
import { endOfWhole } from '../charge/settle-call.ts'
import { heardEvents } from './answer-json.ts'
import type { ClientStream } from '../chat/client-stream.ts'
import { readStreamFailure, ruleOfBreak } from '../failure/stream-failure.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { clientStreamOf } from '../chat/client-stream-format.ts'
import { parseLoosely } from '../../wire/parse-loosely.ts'
import { isOfPictures } from '../call/operation-kinds.ts'

/** @throws while nothing has reached the client */
export async function answerEvents(answer: PlainExchange, deps: BytesDeps): Promise<void> {
  await new EventReading(answer, deps).run()
}

/** OpenAI's streams that end with an event of their own. Any other stream is complete when the connection ends. */
const known = /^(?:image_generation|image_edit|speech\.audio|transcript\.text)\./
const closing = /\.(?:completed|done)$/
/** An event without a name has its type at the beginning of its data. */
const typeField = /"type"\s*:\s*"([\w.]+)"/
const TYPE_WITHIN_CHARS = 200
const picture = /"(?:b64_json|url)"\s*:\s*"/
/** The picture's field follows the type, a date, the size and the like within so many characters. */
const PICTURE_WITHIN_CHARS = 1000

class EventReading {
  readonly #answer: PlainExchange
  readonly #deps: BytesDeps
  readonly #stream: ClientStream
  readonly #splitter = new SseSplitter()
  #held = ''
  #hasOutput = false
  #isKnown = false
  #isClosed = false
  #pictures = 0
  /** Previews of the picture that is being drawn, and the newest of them. */
  #previews = 0
  #preview = ''
  /** The event that tells usage; of pictures that tell their own, the last with the sum of all. */
  #usage: JsonObject | undefined

  constructor(answer: PlainExchange, deps: BytesDeps) {
    this.#answer = answer
    this.#deps = deps
    this.#stream = clientStreamOf(answer.call, deps.settings)
  }

  async run(): Promise<void> {
    const { call } = this.#answer
    try {
      await this.#read()
    } catch (error) {
      if (!this.#hasOutput) throw error
      return await this.#breakOff(error)
    }
    const { rule } = endOfWhole(call.client)
    await settleBytes(this.#answer, { ...this.#used(), rule }, this.#deps)
    this.#stream.end(this.#held)
  }

  async #read(): Promise<void> {
    const { attempt, response } = this.#answer
    for await (const chunk of response.body) {
      attempt.drain.took(chunk.length)
      for (const event of this.#splitter.push(chunk)) {
        const pending = this.#take(event)
        if (pending) await pending
      }
    }
    for (const event of this.#splitter.end()) await this.#take(event)
    if (!this.#hasOutput || (this.#isKnown && !this.#isClosed)) throw relayErrors.cut()
  }

  /** @throws UpstreamError if the event is an error */
  #take(original: SseEvent): Promise<void> | undefined {
    const { data } = original
    if (data.includes('"error"')) refuseFailure(data)
    const edited = this.#edited(original)
    if (edited === '') return undefined
    if (data !== '' && data !== '[DONE]') this.#see(original)
    // An event that a hook drops is charged like any other.
    const text = this.#answer.shown?.change(edited) ?? edited
    if (text === '') return undefined
    const before = this.#held
    this.#held = text
    if (!this.#hasOutput) {
      this.#held = before + text
      return undefined
    }
    if (!this.#stream.hasStarted) this.#stream.start()
    return before === '' ? undefined : this.#stream.write(before)
  }

  #see({ event, data }: SseEvent): void {
    this.#hasOutput = true
    const type = event ?? typeField.exec(data.slice(0, TYPE_WITHIN_CHARS))?.[1] ?? ''
    this.#isKnown ||= known.test(type)
    this.#isClosed ||= closing.test(type)
    const isOwn = isPicture(type, data)
    if (isOwn) {
      this.#pictures += 1
      this.#previews = 0
    } else if (type.endsWith('.partial_image')) {
      this.#previews += 1
      this.#preview = data
    }
    if (!data.includes('"usage"')) return
    const body = parseLoosely(data)
    if (!isObject(body) || !isObject(body['usage'])) return
    const before = isOwn ? this.#usage?.['usage'] : undefined
    this.#usage = isObject(before) ? { ...body, usage: sumOf(before, body['usage']) } : body
  }

  #used(): { body: JsonObject | undefined; pictures: number } {
    const { operation } = this.#answer.call
    return { body: this.#usage, pictures: isOfPictures(operation) ? this.#pictures : 0 }
  }

  /** Of the picture that is being drawn, where no picture has told its usage. */
  #drawnTokens(): number {
    if (this.#previews === 0 || this.#usage) return 0
    const preview = parseLoosely(this.#preview)
    return previewedTokens(isObject(preview) ? preview : {}, this.#previews)
  }

  /** The event after the adapter's edit, if it has one, and then that of the hooks. */
  #edited({ data, raw }: SseEvent): string {
    const { operation, attempt, texts } = this.#answer
    const parsed = operation.streamData || texts ? parseLoosely(data) : undefined
    if (!isObject(parsed)) return raw
    const edited = operation.streamData ? operation.streamData(parsed, attempt.context) : parsed
    if (edited === undefined) return ''
    const shown = texts ? heardEvents(edited, texts) : [edited]
    if (shown.length === 1 && shown[0] === parsed) return raw
    return shown.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')
  }

  /** Sends an error event, closes the stream, and charges what was delivered. */
  async #breakOff(error: unknown): Promise<void> {
    const { call, attempt } = this.#answer
    attempt.abort.abort()
    // Beyond the drain's bounds the gateway itself has ended the stream.
    const shown = attempt.drain.isOver
      ? undefined
      : readStreamFailure(error, call, attempt, this.#deps)
    const isFree = call.client.isGone && this.#stream.sentBytes === 0
    const rule = call.client.isGone ? 'client_left_counted' : ruleOfBreak(error)
    const drawnTokens = this.#drawnTokens()
    await settleBytes(this.#answer, { ...this.#used(), rule, isFree, drawnTokens }, this.#deps)
    if (shown) this.#stream.end(this.#held + codecs['openai-chat'].streamError(shown))
  }
}

/** Whether the event holds a finished picture; `partial_image` events hold previews. */
function isPicture(type: string, data: string): boolean {
  return !type.endsWith('.partial_image') && picture.test(data.slice(0, PICTURE_WITHIN_CHARS))
}

/** Of two usages, with what they hold. */
function sumOf(one: JsonObject, other: JsonObject): JsonObject {
  const sum: JsonObject = { ...one }
  for (const [name, value] of Object.entries(other)) {
    const known = sum[name]
    if (typeof known === 'number' && typeof value === 'number') sum[name] = known + value
    else if (isObject(known) && isObject(value)) sum[name] = sumOf(known, value)
    else sum[name] = value
  }
  return sum
}

function refuseFailure(data: string): void {
  const body = parseLoosely(data)
  if (!isObject(body) || !body['error']) return
  throw new UpstreamError(findFailureInSuccess(body) ?? unknownFailure(200))
}
