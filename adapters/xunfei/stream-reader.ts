import {
  isObject,
  objectOf,
  objectsOf,
  UpstreamError,
  type ChatEvent,
  type JsonObject,
  type OwnStreamReader,
  type SseEvent,
} from '#core'
import {
  closing,
  newCallId,
  opening,
  parsedEvent,
  readFailure,
  readOpenaiUsage,
  reasoningEvents,
  textEvents,
  wholeCall,
} from '#adapter-kit'

const LAST = 2
/** The answer was refused by moderation after it had begun. */
const OUTPUT_REFUSED = 10014

export class StreamReader implements OwnStreamReader {
  isComplete = false
  #isStarted = false
  #hasCall = false
  #hasOutput = false

  push(event: SseEvent): ChatEvent[] {
    if (event.data === '') return []
    const frame = parsedEvent(event)
    const header = isObject(frame.header) ? frame.header : {}
    if ((header.code ?? 0) !== 0) return this.#refused(frame, header)
    const events = this.#start(header)
    const payload = isObject(frame.payload) ? frame.payload : {}
    events.push(...this.#texts(payload))
    if (header.status !== LAST) return events
    this.isComplete = true
    const usage = isObject(payload.usage) ? readOpenaiUsage(payload.usage.text) : undefined
    return [...events, ...closing(this.#hasCall ? 'tool_calls' : 'stop', usage)]
  }

  end(): ChatEvent[] {
    return []
  }

  #start({ sid }: JsonObject): ChatEvent[] {
    if (this.#isStarted) return []
    this.#isStarted = true
    return [opening(sid)]
  }

  #texts({ choices }: JsonObject): ChatEvent[] {
    const texts = objectsOf(objectOf(choices).text)
    const events = texts.flatMap((text) => [
      ...reasoningEvents(text.reasoning_content),
      ...textEvents(text.content),
      ...this.#call(text.function_call),
    ])
    if (events.length > 0) this.#hasOutput = true
    return events
  }

  /** An answer has at most one call, in one piece and without an id. */
  #call(call: unknown): ChatEvent[] {
    if (this.#hasCall || !isObject(call) || typeof call.name !== 'string') return []
    this.#hasCall = true
    const text = typeof call.arguments === 'string' ? call.arguments : ''
    return wholeCall(0, { id: newCallId(), name: call.name, arguments: text })
  }

  /** Moderation that stops an answer leaves what was already sent.
   *  @throws UpstreamError for any other refusal */
  #refused(frame: JsonObject, header: JsonObject): ChatEvent[] {
    if (header.code !== OUTPUT_REFUSED || !this.#hasOutput)
      throw new UpstreamError(readFailure(200, frame))
    this.isComplete = true
    return closing('filtered', undefined)
  }
}

/** The transport answers with frames only; a body in one piece is no answer of Spark.
 *  @throws UpstreamError */
export function readAnswer(body: unknown): ChatEvent[] {
  throw new UpstreamError(readFailure(200, body), 'upstream')
}
