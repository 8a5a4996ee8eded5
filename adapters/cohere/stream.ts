// The events of a streamed answer of chat v2. Source: docs.cohere.com, page "Streaming".
import {
  asText,
  isObject,
  textIn,
  UpstreamError,
  type ChatEvent,
  type ChatRequest,
  type JsonObject,
  type OwnStreamReader,
  type SseEvent,
} from '#core'
import { boundedJson, opening, unknownFailure } from '#adapter-kit'
import { citationReader } from './citations.ts'
import {
  argumentsOf,
  contentEvents,
  finishEvent,
  generationFailed,
  readRefusal,
  readUsage,
  textEvents,
} from './from-cohere.ts'

export class CohereStreamReader implements OwnStreamReader {
  isComplete = false
  /** Arguments that may still turn out to be the text `null`, by call. */
  readonly #held = new Map<number, string>()
  readonly #cite: (citation: JsonObject) => ChatEvent[]

  constructor(request: ChatRequest) {
    this.#cite = citationReader(request)
  }

  push(event: SseEvent): ChatEvent[] {
    if (event.data === '' || event.data === '[DONE]') return []
    const data = parse(event)
    const refusal = data['type'] === undefined ? readRefusal(data) : undefined
    if (refusal) throw new UpstreamError(refusal)
    const { message } = objectIn(data, 'delta')
    const read = this.#readers.get(asText(data['type']))
    return read?.(isObject(message) ? message : {}, data) ?? []
  }

  end(): ChatEvent[] {
    return []
  }

  readonly #readers = new Map<string, (message: JsonObject, data: JsonObject) => ChatEvent[]>([
    ['message-start', (_message, { id }) => [opening(textIn(id))]],
    ['content-start', (message) => contentEvents(objectIn(message, 'content'))],
    ['content-delta', (message) => contentEvents(objectIn(message, 'content'))],
    ['tool-plan-delta', (message) => textEvents(message['tool_plan'], 'reasoning')],
    // Each event has one citation.
    ['citation-start', (message) => this.#cite(objectIn(message, 'citations'))],
    ['tool-call-start', (message, data) => this.#startCall(objectIn(message, 'tool_calls'), data)],
    ['tool-call-delta', (message, data) => this.#argue(objectIn(message, 'tool_calls'), data)],
    ['tool-call-end', (_message, data) => this.#endCall(data)],
    ['message-end', (_message, data) => this.#endMessage(objectIn(data, 'delta'))],
  ])

  #startCall(call: JsonObject, data: JsonObject): ChatEvent[] {
    const index = Number(data['index'] ?? 0)
    this.#held.set(index, '')
    const name = asText(objectIn(call, 'function')['name'])
    return [{ type: 'tool_start', index, id: asText(call['id']), name }, ...this.#argue(call, data)]
  }

  #argue(call: JsonObject, data: JsonObject): ChatEvent[] {
    const index = Number(data['index'] ?? 0)
    const piece = asText(objectIn(call, 'function')['arguments'])
    const held = this.#held.get(index)
    if (held === undefined) return piece === '' ? [] : [{ type: 'tool_args', index, delta: piece }]
    const text = held + piece
    if ('null'.startsWith(text)) {
      this.#held.set(index, text)
      return []
    }
    this.#held.delete(index)
    return [{ type: 'tool_args', index, delta: text }]
  }

  #endCall(data: JsonObject): ChatEvent[] {
    const index = Number(data['index'] ?? 0)
    const held = this.#held.get(index)
    this.#held.delete(index)
    const rest: ChatEvent[] =
      held === undefined ? [] : [{ type: 'tool_args', index, delta: argumentsOf(held) }]
    return [...rest, { type: 'tool_end', index }]
  }

  #endMessage(delta: JsonObject): ChatEvent[] {
    if (typeof delta['error'] === 'string' && delta['error'] !== '') {
      throw generationFailed(delta['error'], asText(delta['finish_reason']) || null)
    }
    const finish = finishEvent(delta['finish_reason'])
    this.isComplete = true
    const usage = readUsage(delta['usage'])
    return usage === undefined ? [finish] : [{ type: 'usage', usage }, finish]
  }
}

function parse(event: SseEvent): JsonObject {
  let data: unknown
  try {
    data = event.json ?? boundedJson(event.data)
  } catch (cause) {
    throw new UpstreamError(unknownFailure(200), 'upstream', { cause })
  }
  return isObject(data) ? data : {}
}

function objectIn(holder: JsonObject, key: string): JsonObject {
  const value = holder[key]
  return isObject(value) ? value : {}
}
