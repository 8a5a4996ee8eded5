import {
  isObject,
  objectsOf,
  UpstreamError,
  type ChatEvent,
  type JsonObject,
  type OwnStreamReader,
  type SseEvent,
} from '#core'
import { newCallId, parsedEvent, reasoningEvents, textEvents, usageEvents } from '#adapter-kit'
import { engineError, readError } from './failures.ts'
import { callOf, firstChoice, reasonOf, startOf, usageIn } from './read-answer.ts'
import { StopCutter } from './stop-cutter.ts'

/** Chunks like those of the OpenAI dialect in other words, bare of the `Response` around a whole answer. */
export class StreamReader implements OwnStreamReader {
  isComplete = false
  readonly #cutter: StopCutter
  #isStarted = false
  /** Indexes of the calls by the upstream's id. */
  readonly #calls = new Map<string, number>()
  /** The index of the newest call. */
  #newest: number | undefined

  constructor(stops: readonly string[]) {
    this.#cutter = new StopCutter(stops)
  }

  push(event: SseEvent): ChatEvent[] {
    if (event.data === '' || event.data === '[DONE]') return []
    const chunk = readChunk(event)
    const events: ChatEvent[] = this.#isStarted ? [] : [startOf(chunk)]
    this.#isStarted = true
    // The counts grow with each event, and the last one may leave them out.
    events.push(...usageEvents(usageIn(chunk)))
    const choice = firstChoice(chunk)
    if (!choice) return events
    const delta = isObject(choice.Delta) ? choice.Delta : {}
    events.push(...reasoningEvents(delta.ReasoningContent))
    if (typeof delta.Content === 'string')
      events.push(...textEvents(this.#cutter.push(delta.Content)))
    const calls = objectsOf(delta.ToolCalls)
    for (const call of calls) events.push(...this.#readCall(call))
    const reason = reasonOf(choice.FinishReason)
    if (reason === undefined) return events
    this.isComplete = true
    return [
      ...events,
      ...textEvents(this.#cutter.end()),
      ...this.#closeCalls(),
      { type: 'finish', reason },
    ]
  }

  end(): ChatEvent[] {
    return []
  }

  /** Pieces of one call share its id; later ones may leave it out. */
  #readCall(call: JsonObject): ChatEvent[] {
    const { id, name, arguments: text } = callOf(call)
    const begun = id === '' ? this.#newest : this.#calls.get(id)
    const piece = (index: number): ChatEvent[] =>
      text === '' ? [] : [{ type: 'tool_args', index, delta: text }]
    if (begun !== undefined) return piece(begun)
    const index = this.#calls.size
    const callId = id === '' ? newCallId() : id
    this.#calls.set(callId, index)
    this.#newest = index
    return [{ type: 'tool_start', index, id: callId, name }, ...piece(index)]
  }

  /** Pieces of several calls may be mixed: only the end closes them. */
  #closeCalls(): ChatEvent[] {
    return [...this.#calls.values()].map((index): ChatEvent => ({ type: 'tool_end', index }))
  }
}

/** @throws UpstreamError for an error in the place of a chunk */
function readChunk(event: SseEvent): JsonObject {
  const chunk = parsedEvent(event)
  const failure = readError(200, chunk) ?? engineError(200, chunk)
  if (failure) throw new UpstreamError(failure)
  return chunk
}
