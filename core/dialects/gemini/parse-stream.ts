import type { AnswerHints, SseEvent, StreamParser } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import { asText, isObject, type JsonObject } from '../../contract/json.ts'
import { unknownFailure } from '../../upstream-failures/read-failure-body.ts'
import { choiceIndex } from '../neutral/choices.ts'
import { geminiVersion } from '../neutral/model-families.ts'
import { NO_EVENTS, parsedData, parsedEvent } from '../neutral/parsed-event.ts'
import { readError } from './errors.ts'
import { readFinishReason } from './finish-reason.ts'
import { citationEvents } from './grounding.ts'
import { type CandidateState, partEvents, withLogprobs } from './read-candidate.ts'
import { readUsage } from './usage.ts'

export class GeminiStreamParser implements StreamParser {
  readonly #state: CandidateState = { calls: 0, queries: new Set(), cited: new Set() }
  readonly #choices = new Set<number>()
  /** The candidates that call tools. */
  readonly #calling = new Set<number>()
  readonly #finished = new Set<number>()
  #isStarted = false
  #isBlocked = false
  #hasEnded = false
  #model = ''

  readonly #hints: AnswerHints | undefined

  constructor(hints?: AnswerHints) {
    this.#hints = hints
  }

  get isComplete(): boolean {
    if (this.#isBlocked) return true
    // One of several candidates may end long before the others. When the upstream has ended, what came is complete.
    const awaited = this.#hasEnded ? 1 : Math.max(1, this.#choices.size)
    return this.#finished.size >= awaited
  }

  push(event: SseEvent): ChatEvent[] {
    if (event.data === '' || event.data === '[DONE]') return NO_EVENTS
    return this.read(chunkOf(event))
  }

  end(): ChatEvent[] {
    this.#hasEnded = true
    return []
  }

  read(chunk: JsonObject): ChatEvent[] {
    if (chunk.error !== undefined && chunk.error !== null) {
      return [{ type: 'error', failure: readError(200, chunk) ?? unknownFailure(200) }]
    }
    const events: ChatEvent[] = []
    this.#start(chunk, events)
    const candidates = Array.isArray(chunk.candidates) ? (chunk.candidates as unknown[]) : []
    for (const candidate of candidates)
      if (isObject(candidate)) this.#readCandidate(candidate, events)
    this.#readUsage(chunk, events)
    for (const candidate of candidates) if (isObject(candidate)) this.#readFinish(candidate, events)
    if (candidates.length === 0) this.#readBlock(chunk, events)
    return events
  }

  #start(chunk: JsonObject, events: ChatEvent[]): void {
    if (this.#isStarted) return
    this.#isStarted = true
    // Anthropic's clients read the length of the prompt in the event that starts the answer.
    this.#readUsage(chunk, events)
    const start: ChatEvent = { type: 'start' }
    if (typeof chunk.responseId === 'string') start.id = chunk.responseId
    if (typeof chunk.modelVersion === 'string') start.model = this.#model = chunk.modelVersion
    events.push(start)
  }

  #readCandidate(candidate: JsonObject, events: ChatEvent[]): void {
    const content = isObject(candidate.content) ? candidate.content : {}
    const parts = Array.isArray(content.parts) ? (content.parts as unknown[]) : []
    const choice = choiceOf(candidate)
    this.#choices.add(choice ?? 0)
    if (this.#hints?.cites) this.#state.texts ??= new Map()
    const fromParts: ChatEvent[] = []
    for (const part of parts) {
      if (isObject(part)) fromParts.push(...partEvents(part, this.#state, choice))
    }
    if (fromParts.some(({ type }) => type === 'tool_start')) this.#calling.add(choice ?? 0)
    events.push(...withLogprobs(fromParts, candidate, choice))
    events.push(...citationEvents(candidate, this.#state, choice))
  }

  /** Every chunk reports the totals so far. */
  #readUsage(chunk: JsonObject, events: ChatEvent[]): void {
    const usage = readUsage(chunk.usageMetadata)
    if (usage === undefined) return
    const searches = this.#searches()
    const tools = {
      ...(searches > 0 ? { google_search: searches } : {}),
      ...(this.#state.hasPlaces ? { google_maps: 1 } : {}),
    }
    if (Object.keys(tools).length > 0) usage.toolCalls = tools
    events.push({ type: 'usage', usage })
  }

  /** From Gemini 3 on each query is charged; before, each prompt with a search (ai.google.dev, pricing). */
  #searches(): number {
    const { size } = this.#state.queries
    return (geminiVersion(this.#model) ?? 0) >= 3 ? size : Math.min(1, size)
  }

  #readFinish(candidate: JsonObject, events: ChatEvent[]): void {
    const native = asText(candidate.finishReason)
    const choice = choiceOf(candidate)
    if (native === '' || native === 'FINISH_REASON_UNSPECIFIED' || this.#finished.has(choice ?? 0))
      return
    this.#finished.add(choice ?? 0)
    const reason = readFinishReason(native, this.#calling.has(choice ?? 0))
    events.push({ type: 'finish', reason, native, choice })
  }

  #readBlock(chunk: JsonObject, events: ChatEvent[]): void {
    const reason = isObject(chunk.promptFeedback) ? asText(chunk.promptFeedback.blockReason) : ''
    if (reason === '') return
    this.#isBlocked = true
    events.push({ type: 'blocked', reason })
  }
}

/** An error on a stream without alt=sse comes wrapped in a list. */
function chunkOf(event: SseEvent): JsonObject {
  if (!event.data.startsWith('[')) return parsedEvent(event)
  const list = parsedData(event.data) as unknown[]
  return isObject(list[0]) ? list[0] : {}
}

function choiceOf(candidate: JsonObject): number | undefined {
  return choiceIndex(candidate.index) || undefined
}
