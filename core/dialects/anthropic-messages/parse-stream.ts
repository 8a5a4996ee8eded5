import type { AnswerHints, SseEvent, StreamParser } from '../../contract/dialect.ts'
import type { ChatEvent, Usage } from '../../contract/neutral.ts'
import { asText, isObject, type JsonObject } from '../../contract/json.ts'
import { unknownFailure } from '../../upstream-failures/read-failure-body.ts'
import { NO_EVENTS, parsedEvent } from '../neutral/parsed-event.ts'
import { charCount } from '../neutral/text-places.ts'
import { readCitation } from './citation.ts'
import { readError } from './errors.ts'
import { readStopReason } from './stop-reason.ts'
import { readUsage } from './usage.ts'

interface OpenBlock {
  kind: string
  toolIndex: number
  hasArguments: boolean
  /** Input that was already complete when the block started. */
  input: string
  signature: string
  /** The number of characters of the answer before the block. */
  start: number
  citations: unknown[]
}

type Reader = (parser: MessagesStreamParser, data: JsonObject) => ChatEvent[]

const readers: Readonly<Record<string, Reader>> = {
  message_start: (parser, data) => parser.start(data),
  content_block_start: (parser, data) => parser.openBlock(data),
  content_block_delta: (parser, data) => parser.readDelta(data),
  content_block_stop: (parser, data) => parser.closeBlock(data),
  message_delta: (parser, data) => parser.readMessageDelta(data),
  message_stop: (parser) => parser.stop(),
  error: (_parser, data) => [
    { type: 'error', failure: readError(200, data) ?? unknownFailure(200) },
  ],
}

export class MessagesStreamParser implements StreamParser {
  #isStarted = false
  #isComplete = false
  #isFinished = false
  #toolCount = 0
  #usage: JsonObject = {}
  readonly #blocks = new Map<number, OpenBlock>()
  readonly #hints: AnswerHints | undefined
  /** The length of all texts so far; counted only if citations may come. */
  #chars = 0

  constructor(hints?: AnswerHints) {
    this.#hints = hints
  }

  get isComplete(): boolean {
    return this.#isComplete
  }

  push(event: SseEvent): ChatEvent[] {
    if (event.data === '' || event.data === '[DONE]') return NO_EVENTS
    const data = parsedEvent(event)
    const type = typeof data.type === 'string' ? data.type : (event.event ?? '')
    const reader = Object.hasOwn(readers, type) ? readers[type] : undefined
    if (reader !== undefined) return reader(this, data)
    return isObject(data.error) ? (readers.error?.(this, data) ?? []) : NO_EVENTS
  }

  end(): ChatEvent[] {
    return this.#isComplete && !this.#isFinished ? this.#finish('end_turn', undefined) : []
  }

  start(data: JsonObject): ChatEvent[] {
    // Some proxies repeat it.
    if (this.#isStarted) return []
    this.#isStarted = true
    const message = isObject(data.message) ? data.message : {}
    const start: ChatEvent = { type: 'start' }
    if (typeof message.id === 'string') start.id = message.id
    if (typeof message.model === 'string') start.model = message.model
    if (!isObject(message.usage)) return [start]
    this.#usage = message.usage
    const usage = readUsage(message.usage)
    // The one output token named here is a placeholder.
    return usage === undefined
      ? [start]
      : [start, { type: 'usage', usage: { ...usage, output: 0 } }]
  }

  openBlock(data: JsonObject): ChatEvent[] {
    const block = isObject(data.content_block) ? data.content_block : {}
    const open: OpenBlock = {
      kind: asText(block.type),
      toolIndex: -1,
      hasArguments: false,
      input: '',
      signature: '',
      start: this.#chars,
      citations: [],
    }
    this.#blocks.set(indexOf(data), open)
    switch (open.kind) {
      case 'text':
        return this.#text(block.text)
      case 'thinking':
        return textOf(block.thinking, (delta) => ({ type: 'reasoning', delta }))
      case 'redacted_thinking':
        return textOf(block.data, (sealed) => ({
          type: 'reasoning_state',
          state: { owner: 'anthropic', data: sealed },
          redacted: true,
        }))
      case 'tool_use':
        return [this.#openTool(block, open)]
      default:
        return []
    }
  }

  #openTool(block: JsonObject, open: OpenBlock): ChatEvent {
    open.toolIndex = this.#toolCount
    this.#toolCount += 1
    if (isObject(block.input) && Object.keys(block.input).length > 0) {
      open.input = JSON.stringify(block.input)
    }
    return {
      type: 'tool_start',
      index: open.toolIndex,
      id: asText(block.id),
      name: asText(block.name),
    }
  }

  readDelta(data: JsonObject): ChatEvent[] {
    const open = this.#blocks.get(indexOf(data))
    const delta = isObject(data.delta) ? data.delta : {}
    switch (delta.type) {
      case 'text_delta':
        return this.#text(delta.text)
      case 'thinking_delta':
        return textOf(delta.thinking, (text) => ({ type: 'reasoning', delta: text }))
      case 'signature_delta':
        if (open !== undefined && typeof delta.signature === 'string') {
          open.signature += delta.signature
        }
        return []
      case 'input_json_delta':
        if (open === undefined || open.toolIndex < 0) return []
        return textOf(delta.partial_json, (json) => {
          open.hasArguments = true
          return { type: 'tool_args', index: open.toolIndex, delta: json }
        })
      case 'citations_delta':
        // A citation applies to the whole block, wherever in it the citation arrives.
        open?.citations.push(delta.citation)
        return []
      default:
        return []
    }
  }

  closeBlock(data: JsonObject): ChatEvent[] {
    const open = this.#blocks.get(indexOf(data))
    if (open === undefined) return []
    this.#blocks.delete(indexOf(data))
    if (open.kind === 'thinking' && open.signature !== '') {
      return [{ type: 'reasoning_state', state: { owner: 'anthropic', data: open.signature } }]
    }
    if (open.toolIndex < 0) return this.#citationsOf(open)
    const events: ChatEvent[] = []
    if (!open.hasArguments && open.input !== '') {
      events.push({ type: 'tool_args', index: open.toolIndex, delta: open.input })
    }
    events.push({ type: 'tool_end', index: open.toolIndex })
    return events
  }

  #text(value: unknown): ChatEvent[] {
    if (typeof value !== 'string' || value === '') return []
    if (this.#hints?.cites) this.#chars += charCount(value)
    return [{ type: 'text', delta: value }]
  }

  #citationsOf({ citations, start }: OpenBlock): ChatEvent[] {
    const span = { start, end: this.#chars }
    return citations.splice(0).flatMap((entry): ChatEvent[] => {
      const citation = readCitation(entry, span)
      return citation === undefined ? [] : [{ type: 'citation', citation }]
    })
  }

  readMessageDelta(data: JsonObject): ChatEvent[] {
    // For blocks that some proxies do not close.
    const events = [...this.#blocks.values()].flatMap((open) => this.#citationsOf(open))
    const usage = this.#mergeUsage(data.usage)
    if (usage !== undefined) events.push({ type: 'usage', usage })
    const delta = isObject(data.delta) ? data.delta : {}
    if (typeof delta.stop_reason !== 'string') return events
    events.push(
      ...refusalOf(delta.stop_details),
      ...this.#finish(delta.stop_reason, delta.stop_sequence),
    )
    return events
  }

  /** Counts of message_start stay valid if message_delta does not repeat them. */
  #mergeUsage(update: unknown): Usage | undefined {
    if (!isObject(update)) return undefined
    const merged = { ...this.#usage }
    for (const [key, value] of Object.entries(update)) {
      const isNothing = value === null || (value === 0 && key !== 'output_tokens')
      if (!isNothing) merged[key] = value
    }
    this.#usage = merged
    return readUsage(merged)
  }

  #finish(native: string, stopSequence: unknown): ChatEvent[] {
    this.#isComplete = true
    if (this.#isFinished) return []
    this.#isFinished = true
    const finish: ChatEvent = { type: 'finish', reason: readStopReason(native), native }
    if (typeof stopSequence === 'string') finish.stopSequence = stopSequence
    return [finish]
  }

  stop(): ChatEvent[] {
    this.#isComplete = true
    return this.end()
  }
}

function indexOf(data: JsonObject): number {
  return typeof data.index === 'number' ? data.index : 0
}

function textOf(value: unknown, event: (text: string) => ChatEvent): ChatEvent[] {
  return typeof value === 'string' && value !== '' ? [event(value)] : []
}

/** Why the model refused, where it says so. */
export function refusalOf(details: unknown): ChatEvent[] {
  if (!isObject(details) || details.type !== 'refusal') return []
  return textOf(details.explanation, (delta) => ({ type: 'refusal', delta }))
}
