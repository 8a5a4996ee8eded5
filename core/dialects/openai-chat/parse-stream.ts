import type { SseEvent, StreamParser } from '../../contract/dialect.ts'
import type { ChatEvent, OpaqueState, TokenLogprob } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { unknownFailure } from '../../upstream-failures/read-failure-body.ts'
import { choiceIndex } from '../neutral/choices.ts'
import { FreeformPieces } from '../neutral/freeform-tools.ts'
import { readLogprobs } from '../neutral/logprobs.ts'
import { NO_EVENTS, parsedEvent } from '../neutral/parsed-event.ts'
import { newCallId } from '../neutral/tool-names.ts'
import { CallIndexes } from './call-indexes.ts'
import { readError } from './errors.ts'
import { readFinishReason } from './finish-reason.ts'
import { citationsOf, contentText, readToolCall, reasoningText } from './read-delta.ts'
import { findUsage, readUsage } from './usage.ts'

interface OpenCall {
  /** Position among the calls of the whole answer. */
  index: number
  choice: number
  isOpen: boolean
  /** The input of a custom tool, converted to the JSON of the neutral form. */
  pieces?: FreeformPieces
}

export class ChatStreamParser implements StreamParser {
  #isStarted = false
  #isDone = false
  readonly #choices = new Set<number>()
  readonly #finished = new Set<number>()
  readonly #indexes = new Map<number, CallIndexes>()
  /** Open calls, by choice and by the upstream's index. */
  readonly #calls = new Map<string, OpenCall>()

  get isComplete(): boolean {
    // One of several choices may end long before the others.
    return this.#isDone || (this.#finished.size > 0 && this.#finished.size >= this.#choices.size)
  }

  push(event: SseEvent): ChatEvent[] {
    if (event.data === '') return NO_EVENTS
    if (event.data === '[DONE]' || event.data === '[done]') {
      this.#isDone = true
      return this.#closeCalls()
    }
    const chunk = parsedEvent(event)
    const events: ChatEvent[] = []
    if (chunk.error !== undefined && chunk.error !== null) {
      events.push({ type: 'error', failure: readError(200, chunk) ?? unknownFailure(200) })
      return events
    }
    this.#start(chunk, events)
    const choices = Array.isArray(chunk.choices) ? (chunk.choices as unknown[]) : []
    for (const choice of choices) if (isObject(choice)) this.#readChoice(choice, events)
    const usage = readUsage(findUsage(chunk))
    if (usage !== undefined) events.push({ type: 'usage', usage })
    if (choices.length === 0 && usage === undefined) this.#readBareError(chunk, events)
    return events
  }

  end(): ChatEvent[] {
    this.#isDone ||= this.#finished.size > 0
    return this.#closeCalls()
  }

  #start(chunk: JsonObject, events: ChatEvent[]): void {
    if (this.#isStarted || !Array.isArray(chunk.choices)) return
    this.#isStarted = true
    const start: ChatEvent = { type: 'start' }
    if (typeof chunk.id === 'string' && chunk.id !== '') start.id = chunk.id
    if (typeof chunk.model === 'string') start.model = chunk.model
    if (typeof chunk.created === 'number') start.created = chunk.created
    events.push(start)
  }

  /** Reads `{code, message}` and similar objects that some servers send instead of a chunk. */
  #readBareError(chunk: JsonObject, events: ChatEvent[]): void {
    const failure = readError(200, chunk)
    if (failure !== undefined) events.push({ type: 'error', failure })
  }

  #readChoice(choice: JsonObject, events: ChatEvent[]): void {
    const index = choiceIndex(choice.index)
    const at = index === 0 ? undefined : index
    this.#choices.add(index)
    // Some servers send a whole message although a stream was requested; it is read too.
    const delta = isObject(choice.delta)
      ? choice.delta
      : isObject(choice.message)
        ? choice.message
        : undefined
    if (delta !== undefined) this.#readDelta(delta, at, events, logprobsOf(choice))
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') {
      this.#finish(choice.finish_reason, at, events)
    }
  }

  #readDelta(
    delta: JsonObject,
    choice: number | undefined,
    events: ChatEvent[],
    extra: { logprobs?: TokenLogprob[] } | undefined,
  ): void {
    const reasoning = reasoningText(delta)
    if (reasoning !== '') events.push({ type: 'reasoning', delta: reasoning, choice })
    const text = contentText(delta.content)
    if (extra?.logprobs !== undefined) events.push({ type: 'text', delta: text, choice, ...extra })
    else if (text !== '') events.push({ type: 'text', delta: text, choice })
    if (typeof delta.refusal === 'string' && delta.refusal !== '') {
      events.push({ type: 'refusal', delta: delta.refusal, choice })
    }
    if (Array.isArray(delta.tool_calls)) {
      for (const call of delta.tool_calls) if (isObject(call)) this.#readCall(call, choice, events)
    }
    if (isObject(delta.function_call)) {
      this.#readCall({ index: 0, function: delta.function_call }, choice, events)
    }
    if (isObject(delta.audio)) events.push({ type: 'audio', delta: delta.audio })
    if (delta.annotations !== undefined) {
      for (const citation of citationsOf(delta)) events.push({ type: 'citation', citation })
    }
    if (Array.isArray(delta.images)) events.push(...imagesOf(delta.images))
  }

  #readCall(call: JsonObject, choice: number | undefined, events: ChatEvent[]): void {
    const indexes = this.#indexesOf(choice ?? 0)
    const key = `${choice ?? 0}:${indexes.indexOf(call)}`
    const piece = readToolCall(call)
    let open = this.#calls.get(key)
    if (open === undefined) {
      open = { index: this.#calls.size, choice: choice ?? 0, isOpen: true }
      if (piece.isFreeform) open.pieces = new FreeformPieces()
      this.#calls.set(key, open)
      const start: ChatEvent = {
        type: 'tool_start',
        index: open.index,
        id: piece.id ?? newCallId(),
        name: piece.name ?? '',
        choice,
      }
      if (open.pieces) start.freeform = true
      if (piece.signature !== undefined) start.state = geminiState(piece.signature)
      events.push(start)
    }
    if (piece.arguments !== '') {
      const delta = open.pieces?.add(piece.arguments) ?? piece.arguments
      events.push({ type: 'tool_args', index: open.index, delta, choice })
    }
  }

  #indexesOf(choice: number): CallIndexes {
    let indexes = this.#indexes.get(choice)
    if (indexes === undefined) this.#indexes.set(choice, (indexes = new CallIndexes()))
    return indexes
  }

  #finish(native: string, choice: number | undefined, events: ChatEvent[]): void {
    const key = choice ?? 0
    // Some servers repeat the reason in a later chunk.
    if (this.#finished.has(key)) return
    this.#finished.add(key)
    events.push(...this.#closeCalls(key))
    const read = readFinishReason(native)
    const hasCalls = [...this.#calls.values()].some((call) => call.choice === key)
    const reason = read === 'stop' && hasCalls ? 'tool_calls' : read
    events.push({ type: 'finish', reason, native, choice })
  }

  #closeCalls(choice?: number): ChatEvent[] {
    const events: ChatEvent[] = []
    for (const call of this.#calls.values()) {
      if (!call.isOpen || (choice !== undefined && call.choice !== choice)) continue
      call.isOpen = false
      const at = { index: call.index, choice: call.choice === 0 ? undefined : call.choice }
      if (call.pieces) events.push({ type: 'tool_args', delta: call.pieces.end(), ...at })
      events.push({ type: 'tool_end', ...at })
    }
    return events
  }
}

function logprobsOf({ logprobs }: JsonObject): { logprobs?: TokenLogprob[] } | undefined {
  return isObject(logprobs) ? readLogprobs(logprobs.content) : undefined
}

function geminiState(data: string): OpaqueState {
  return { owner: 'gemini', data }
}

/** Reads `images[].image_url.url` of OpenRouter's image models. */
function imagesOf(images: unknown[]): ChatEvent[] {
  return images.flatMap((image): ChatEvent[] => {
    const url = isObject(image) && isObject(image.image_url) ? image.image_url.url : undefined
    const match = typeof url === 'string' ? /^data:([^;,]+);base64,(.*)$/s.exec(url) : null
    return match === null
      ? []
      : [{ type: 'image', mediaType: match[1] ?? '', data: match[2] ?? '' }]
  })
}
