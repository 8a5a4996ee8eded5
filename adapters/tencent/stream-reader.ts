import {
  closing,
  findFailure,
  isObject,
  newCallId,
  parsedEvent,
  reasoningEvents,
  textEvents,
  UpstreamError,
  type ChatEvent,
  type JsonObject,
  type OwnStreamReader,
  type SseEvent,
} from '#core'
import { readError } from './errors.ts'
import { callOf, firstChoice, reasonOf, startOf, usageIn } from './read-answer.ts'
import { StopCutter } from './stop-cutter.ts'

/** Chunks like those of the OpenAI dialect in other words, bare of the `Response` around a whole answer. */
export class StreamReader implements OwnStreamReader {
  isComplete = false
  readonly #cutter: StopCutter
  #isStarted = false
  /** Indexes of the calls by the upstream's id. */
  readonly #calls = new Map<string, number>()
  #open: number | undefined

  constructor(stops: readonly string[]) {
    this.#cutter = new StopCutter(stops)
  }

  push(event: SseEvent): ChatEvent[] {
    if (event.data === '' || event.data === '[DONE]') return []
    const chunk = readChunk(event)
    const events: ChatEvent[] = this.#isStarted ? [] : [startOf(chunk)]
    this.#isStarted = true
    const choice = firstChoice(chunk)
    if (!choice) return events
    const delta = isObject(choice.Delta) ? choice.Delta : {}
    events.push(...reasoningEvents(delta.ReasoningContent))
    if (typeof delta.Content === 'string')
      events.push(...textEvents(this.#cutter.push(delta.Content)))
    const calls = Array.isArray(delta.ToolCalls) ? delta.ToolCalls.filter(isObject) : []
    for (const call of calls) events.push(...this.#readCall(call))
    const reason = reasonOf(choice.FinishReason)
    if (reason === undefined) return events
    this.isComplete = true
    return [
      ...events,
      ...textEvents(this.#cutter.end()),
      ...this.#closeCall(),
      ...closing(reason, usageIn(chunk)),
    ]
  }

  end(): ChatEvent[] {
    return []
  }

  /** Pieces of one call share its id; later ones may leave it out. */
  #readCall(call: JsonObject): ChatEvent[] {
    const { id, name, arguments: text } = callOf(call)
    const known = id === '' ? this.#open : this.#calls.get(id)
    const piece = (index: number): ChatEvent[] =>
      text === '' ? [] : [{ type: 'tool_args', index, delta: text }]
    if (known !== undefined) return piece(known)
    const index = this.#calls.size
    const callId = id === '' ? newCallId() : id
    this.#calls.set(callId, index)
    const closed = this.#closeCall()
    this.#open = index
    return [...closed, { type: 'tool_start', index, id: callId, name }, ...piece(index)]
  }

  #closeCall(): ChatEvent[] {
    if (this.#open === undefined) return []
    const index = this.#open
    this.#open = undefined
    return [{ type: 'tool_end', index }]
  }
}

/** @throws UpstreamError for an error in the place of a chunk */
function readChunk(event: SseEvent): JsonObject {
  const chunk = parsedEvent(event)
  const refused = readError(200, chunk)
  if (refused) throw new UpstreamError(refused)
  const { ErrorMsg: error } = chunk
  const told = isObject(error)
    ? findFailure(200, { message: error.Msg, code: error.Code })
    : undefined
  if (told) throw new UpstreamError(told, 'upstream')
  return chunk
}
