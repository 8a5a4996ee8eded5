// Event streams of pictures, speech and transcripts: passed on event by event, one behind, for the last waits for the settlement.
import type { SseEvent } from '../../contract/dialect.ts'
import { UpstreamError } from '../../contract/errors.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { codecs } from '../../dialects/index.ts'
import { findFailureInSuccess, unknownFailure } from '../../failures/read-failure-body.ts'
import { SseSplitter } from '../../wire/sse.ts'
import { settleBytes, type BytesAnswer, type BytesDeps } from './answer-bytes.ts'
import { parseLoosely } from '../attempt/attempt.ts'
import { heardEvents } from './answer-json.ts'
import type { ClientStream } from '../chat/client-stream.ts'
import { readStreamFailure, ruleOfBreak } from '../failure/stream-failure.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { clientStreamOf } from '../chat/client-stream-format.ts'

/** @throws while nothing has reached the client */
export async function answerEvents(answer: BytesAnswer, deps: BytesDeps): Promise<void> {
  await new EventReading(answer, deps).run()
}

/** OpenAI's streams that end with an event of their own; any other is complete when it ends. */
const known = /^(?:image_generation|image_edit|speech\.audio|transcript\.text)\./
const closing = /\.(?:completed|done)$/
/** Where the type stands in the data of an event without a name: at its beginning. */
const typeField = /"type"\s*:\s*"([\w.]+)"/
const TYPE_WITHIN_CHARS = 200
const picture = /"(?:b64_json|url)"\s*:\s*"/
/** Before it stand the type, a date, the size and the like. */
const PICTURE_WITHIN_CHARS = 1000

class EventReading {
  readonly #answer: BytesAnswer
  readonly #deps: BytesDeps
  readonly #stream: ClientStream
  readonly #splitter = new SseSplitter()
  #held = ''
  #hasOutput = false
  #isKnown = false
  #isClosed = false
  #pictures = 0
  /** The last event that tells usage. */
  #usage: JsonObject | undefined

  constructor(answer: BytesAnswer, deps: BytesDeps) {
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
    const rule = call.client.isGone ? 'client_left_drained' : 'completed'
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

  /** @throws UpstreamError for an error in the place of an event */
  #take(original: SseEvent): Promise<void> | undefined {
    const { data } = original
    if (data.includes('"error"')) refuseFailure(data)
    const edited = this.#edited(original)
    if (edited === '') return undefined
    if (data !== '' && data !== '[DONE]') this.#see(original)
    // What a hook drops is charged all the same.
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
    if (isPicture(type, data)) this.#pictures += 1
    if (!data.includes('"usage"')) return
    const body = parseLoosely(data)
    if (isObject(body) && isObject(body['usage'])) this.#usage = body
  }

  #used(): { body: JsonObject | undefined; pictures: number } {
    const isOfPictures = this.#answer.call.operation.startsWith('images.')
    return { body: this.#usage, pictures: isOfPictures ? this.#pictures : 0 }
  }

  /** The adapter's own edit, where it has one, and then that of hooks. */
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

  /** An error event closes the stream, and what was delivered is charged. */
  async #breakOff(error: unknown): Promise<void> {
    const { call, attempt } = this.#answer
    attempt.abort.abort()
    // Past the drain's cap the break is our own.
    const shown = attempt.drain.isOver
      ? undefined
      : readStreamFailure(error, call, attempt, this.#deps)
    const isFree = call.client.isGone && this.#stream.sentBytes === 0
    const rule = call.client.isGone ? 'client_left_counted' : ruleOfBreak(error)
    await settleBytes(this.#answer, { ...this.#used(), rule, isFree }, this.#deps)
    if (shown) this.#stream.end(this.#held + codecs['openai-chat'].streamError(shown))
  }
}

/** A finished picture; those of `partial_image` events are previews of one. */
function isPicture(type: string, data: string): boolean {
  return !type.endsWith('.partial_image') && picture.test(data.slice(0, PICTURE_WITHIN_CHARS))
}

function refuseFailure(data: string): void {
  const body = parseLoosely(data)
  if (!isObject(body) || !body['error']) return
  throw new UpstreamError(findFailureInSuccess(body) ?? unknownFailure(200))
}
