// What a socket writes: bodies of calls, and messages to its client.
import type { IncomingMessage } from 'node:http'
import type { SseEvent } from '../../contract/dialect.ts'
import { isObject, type JsonObject, objectIn } from '../../contract/json.ts'
import type { SocketAsk } from './socket-ask.ts'

const LONGEST_REFUSAL = 1_048_576

/** The body of a message that goes on from nothing that the socket remembers. */
export function wholeBody({ settings, input, previousId }: SocketAsk): string {
  const previous = previousId === undefined ? {} : { previous_response_id: previousId }
  return JSON.stringify({ ...settings, ...previous, input, stream: true })
}

/** @param items the inside of a JSON list */
export function bodyWith(settings: JsonObject, items: string): string {
  return `{"input":[${items}],${JSON.stringify({ ...settings, stream: true }).slice(1)}`
}

export function isError({ event, data }: SseEvent): boolean {
  return event === 'error' || data.startsWith('{"type":"error"')
}

/** An event of an answer as a message. Codex takes an error without a status for an event that it need not know, and waits for minutes. */
export function messageOf(event: SseEvent): string {
  const { data } = event
  return isError(event) ? JSON.stringify({ status: 500, ...objectIn(data) }) : data
}

/** An answer that is no stream, as the event that tells of it. */
export async function refusalOf(answer: IncomingMessage): Promise<JsonObject> {
  let text = ''
  for await (const piece of answer as AsyncIterable<Buffer>)
    if (text.length < LONGEST_REFUSAL) text += piece.toString('utf8')
  const known = objectIn(text)?.['error']
  const error = isObject(known) ? known : { message: text }
  const wait = answer.headers['retry-after']
  const headers = wait === undefined ? {} : { headers: { 'retry-after': wait } }
  return { type: 'error', status: answer.statusCode ?? 500, error: { ...error, ...headers } }
}

export const STEER = 'response.steer'

/** Input for an answer under way cannot reach it. The client gets it back for its next message; an `error` would end the answer for
 *  it (API reference, `response.steer.failed`). */
export function steerRefusal({ input, previous_response_id }: JsonObject): JsonObject {
  const message = 'An answer that has begun takes no more input here: send it as the next message'
  return {
    type: 'response.steer.failed',
    sequence_number: 0,
    steer: { input, previous_response_id },
    error: { code: 'steering_not_supported', type: 'invalid_request_error', message },
  }
}

/** What tells that nothing was generated. */
export function warmUpEvents(id: string, model: unknown): JsonObject[] {
  const created_at = Math.floor(Date.now() / 1000)
  const response = { id, object: 'response', created_at, model, error: null, output: [] }
  const usage = {
    input_tokens: 0,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 0,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 0,
  }
  return [
    {
      type: 'response.created',
      sequence_number: 0,
      response: { ...response, status: 'in_progress' },
    },
    {
      type: 'response.completed',
      sequence_number: 1,
      response: { ...response, status: 'completed', usage },
    },
  ]
}
