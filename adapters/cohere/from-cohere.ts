// A whole answer of chat v2, and what it shares with the stream. Source: docs.cohere.com/reference/chat.
import {
  asText,
  isObject,
  objectsOf,
  UpstreamError,
  type AttemptContext,
  type ChatEvent,
  type ChatRequest,
  type FinishReason,
  type JsonObject,
  type RawFailure,
  type Usage,
} from '#core'
import { findFailure, opening, tokens, unknownFailure, usageOf } from '#adapter-kit'
import { citationReader } from './citations.ts'

const FINISH: ReadonlyMap<string, FinishReason> = new Map(
  Object.entries<FinishReason>({
    COMPLETE: 'stop',
    STOP_SEQUENCE: 'stop_sequence',
    MAX_TOKENS: 'length',
    TOOL_CALL: 'tool_calls',
    ERROR_TOXIC: 'filtered',
  }),
)

/** @throws UpstreamError when generating failed */
export function finishEvent(reason: unknown): ChatEvent {
  const native = typeof reason === 'string' ? reason : ''
  if (native === 'ERROR' || native === 'TIMEOUT') throw generationFailed(native, native)
  return { type: 'finish', reason: FINISH.get(native) ?? 'stop', native }
}

/** `{message}` with a text is an error; an answer has an object there. */
export function readRefusal(body: unknown): RawFailure | undefined {
  if (!isObject(body) || isObject(body['message'])) return undefined
  return findFailure(200, body)
}

export function generationFailed(message: string, code: string | null): UpstreamError {
  return new UpstreamError({ status: 200, message, code, isKnownShape: true }, 'upstream')
}

/** Billed units are what Cohere charges; its own preamble is in `tokens` only. */
export function readUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined
  const units = isObject(value['billed_units']) ? value['billed_units'] : value['tokens']
  if (!isObject(units)) return undefined
  const input = tokens(units['input_tokens'])
  return usageOf({
    input,
    output: tokens(units['output_tokens']),
    cacheRead: Math.min(input, tokens(value['cached_tokens'])),
  })
}

export function readAnswer(
  body: unknown,
  _context: AttemptContext,
  request: ChatRequest,
): ChatEvent[] {
  const answer = isObject(body) ? body : {}
  const { message } = answer
  if (!isObject(message)) throw new UpstreamError(unknownFailure(200), 'upstream')
  const usage = readUsage(answer['usage'])
  return [
    opening(answer['id']),
    ...textEvents(message['tool_plan'], 'reasoning'),
    ...objectsOf(message['content']).flatMap(contentEvents),
    ...objectsOf(message['citations']).flatMap(citationReader(request)),
    ...objectsOf(message['tool_calls']).flatMap(callEvents),
    ...(usage === undefined ? [] : [{ type: 'usage' as const, usage }]),
    finishEvent(answer['finish_reason']),
  ]
}

/** A block of content, whole or a piece of it. */
export function contentEvents(content: JsonObject): ChatEvent[] {
  return [...textEvents(content['thinking'], 'reasoning'), ...textEvents(content['text'], 'text')]
}

export function textEvents(delta: unknown, type: 'text' | 'reasoning'): ChatEvent[] {
  return typeof delta === 'string' && delta !== '' ? [{ type, delta }] : []
}

function callEvents(call: JsonObject, index: number): ChatEvent[] {
  const target = isObject(call['function']) ? call['function'] : {}
  return [
    { type: 'tool_start', index, id: asText(call['id']), name: asText(target['name']) },
    { type: 'tool_args', index, delta: argumentsOf(asText(target['arguments'])) },
    { type: 'tool_end', index },
  ]
}

/** Cohere calls a tool without parameters with the text `null`. */
export function argumentsOf(text: string): string {
  return text === '' || text === 'null' ? '{}' : text
}
