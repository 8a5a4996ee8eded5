import type { SseEvent, StreamParser } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import { asText, isObject, type JsonObject } from '../../contract/json.ts'
import { unknownFailure } from '../../upstream-failures/read-failure-body.ts'
import { readLogprobs } from '../neutral/logprobs.ts'
import { NO_EVENTS, parsedEvent } from '../neutral/parsed-event.ts'
import { nestedCitation } from './citation.ts'
import { readError } from '../openai-chat/errors.ts'
import { readFailed } from './errors.ts'
import { callStart, finishOf, itemEvents, MessageGaps, ToolRuns } from './read-item.ts'
import { readUsage } from './usage.ts'

type Reader = (parser: ResponsesStreamParser, data: JsonObject) => ChatEvent[]

const readers: Readonly<Record<string, Reader>> = {
  'response.created': (parser, data) => parser.start(data),
  'response.in_progress': (parser, data) => parser.start(data),
  'response.output_item.added': (parser, data) => parser.openItem(data),
  'response.output_item.done': (parser, data) => parser.closeItem(data),
  'response.output_text.delta': (parser, data) => parser.text(data),
  'response.refusal.delta': (parser, data) =>
    parser.delta(data, (delta) => ({ type: 'refusal', delta })),
  'response.reasoning_summary_part.added': (parser, data) => parser.nextSummary(data),
  'response.reasoning_summary_text.delta': (parser, data) =>
    parser.delta(data, (delta) => ({ type: 'reasoning', delta })),
  'response.reasoning_text.delta': (parser, data) =>
    parser.delta(data, (delta) => ({ type: 'reasoning', delta })),
  'response.function_call_arguments.delta': (parser, data) => parser.toolArguments(data),
  'response.output_text.annotation.added': (_parser, data) =>
    isObject(data.annotation)
      ? [{ type: 'citation', citation: nestedCitation(data.annotation) }]
      : [],
  'response.completed': (parser, data) => parser.finish(data),
  'response.incomplete': (parser, data) => parser.finish(data),
  'response.failed': (parser, data) => parser.fail(data),
  error: (_parser, data) => [
    { type: 'error', failure: readError(200, data) ?? unknownFailure(200) },
  ],
}

/** An error object anywhere in the data. Within a text, its quotes would be escaped. */
const ERROR = /"error"\s*:\s*\{/

/** Whether the data is complete and begins with the name of the event, as OpenAI writes it. */
function mayBeIdle(name: string, data: string): boolean {
  return name.startsWith('response.') && data.startsWith(`{"type":"${name}",`) && data.endsWith('}')
}

interface OpenItem {
  toolIndex: number
  /** True if deltas came; otherwise only the final form of the item contains its text. */
  hasDeltas: boolean
}

export class ResponsesStreamParser implements StreamParser {
  #isStarted = false
  #isComplete = false
  #toolCount = 0
  readonly #tools = new ToolRuns()
  readonly #gaps = new MessageGaps()
  readonly #items = new Map<number, OpenItem>()

  get isComplete(): boolean {
    return this.#isComplete
  }

  push(event: SseEvent): ChatEvent[] {
    if (event.data === '' || event.data === '[DONE]' || this.#isIdle(event)) return NO_EVENTS
    const data = parsedEvent(event)
    const type = asText(data.type) || (event.event ?? '')
    const reader = Object.hasOwn(readers, type) ? readers[type] : undefined
    if (reader !== undefined) return reader(this, data)
    return isObject(data.error) ? (readers.error?.(this, data) ?? []) : NO_EVENTS
  }

  /** Whether an event only repeats what is known, at length: text that came in pieces, or the whole request with
   *  instructions and tools. Such an event is not parsed. */
  #isIdle({ event: name, data, json }: SseEvent): boolean {
    if (name === undefined || json !== undefined || !mayBeIdle(name, data)) return false
    if (name === 'response.in_progress') return this.#isStarted
    return !Object.hasOwn(readers, name) && !(data.includes('"error"') && ERROR.test(data))
  }

  end(): ChatEvent[] {
    return []
  }

  start(data: JsonObject): ChatEvent[] {
    if (this.#isStarted) return []
    this.#isStarted = true
    return [startOf(isObject(data.response) ? data.response : {})]
  }

  #itemOf(data: JsonObject): OpenItem {
    const index = typeof data.output_index === 'number' ? data.output_index : 0
    let item = this.#items.get(index)
    if (item === undefined) this.#items.set(index, (item = { toolIndex: -1, hasDeltas: false }))
    return item
  }

  openItem(data: JsonObject): ChatEvent[] {
    const open = this.#itemOf(data)
    const item = isObject(data.item) ? data.item : {}
    if (item.type !== 'function_call' && item.type !== 'custom_tool_call') return []
    open.toolIndex = this.#toolCount
    this.#toolCount += 1
    return [callStart(item, open.toolIndex)]
  }

  delta(data: JsonObject, event: (delta: string) => ChatEvent): ChatEvent[] {
    const text = asText(data.delta)
    if (text === '') return []
    this.#itemOf(data).hasDeltas = true
    return [event(text)]
  }

  text(data: JsonObject): ChatEvent[] {
    const isBegun = this.#itemOf(data).hasDeltas
    const logprobs = readLogprobs(data.logprobs)
    const events = this.delta(data, (delta) => ({ type: 'text', delta, ...logprobs }))
    return isBegun ? events : this.#gaps.before(events)
  }

  nextSummary(data: JsonObject): ChatEvent[] {
    const isFirst = data.summary_index === 0 || data.summary_index === undefined
    return isFirst ? [] : [{ type: 'reasoning', delta: '\n\n' }]
  }

  toolArguments(data: JsonObject): ChatEvent[] {
    const { toolIndex } = this.#itemOf(data)
    if (toolIndex < 0) return []
    return this.delta(data, (delta) => ({ type: 'tool_args', index: toolIndex, delta }))
  }

  closeItem(data: JsonObject): ChatEvent[] {
    const item = isObject(data.item) ? data.item : {}
    const events = this.#itemOf(data).toolIndex < 0 ? this.openItem(data) : []
    const open = this.#itemOf(data)
    this.#tools.see(item)
    events.push(...this.#gaps.before(itemEvents(item, open.hasDeltas, open.toolIndex)))
    return events
  }

  finish(data: JsonObject): ChatEvent[] {
    const response = isObject(data.response) ? data.response : {}
    this.#isComplete = true
    const events = this.start(data)
    const tools = moreOf(this.#tools, response.output)
    const usage = readUsage(response, tools.billed(response), tools.svg)
    if (usage !== undefined) events.push({ type: 'usage', usage })
    events.push(finishOf(response, this.#toolCount > 0))
    return events
  }

  fail(data: JsonObject): ChatEvent[] {
    return [{ type: 'error', failure: readFailed(isObject(data.response) ? data.response : {}) }]
  }
}

/** Which tools ran: from their items, or from the list in the final answer if a gateway in between has left the items out. */
function moreOf(came: ToolRuns, output: unknown): ToolRuns {
  const listed = new ToolRuns()
  for (const item of Array.isArray(output) ? output : []) {
    if (isObject(item)) listed.see(item)
  }
  return listed.total > came.total ? listed : came
}

export function startOf(response: JsonObject): ChatEvent {
  const start: ChatEvent = { type: 'start' }
  if (typeof response.id === 'string') start.id = response.id
  if (typeof response.model === 'string') start.model = response.model
  if (typeof response.created_at === 'number') start.created = response.created_at
  return start
}
