// One message of a client: the body of POST /v1/responses, with what only a socket knows (API reference, WebSocket mode).
import { type JsonObject, objectIn } from '../../contract/json.ts'
import { checkJson } from '../../http/bodies/read-json.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { NO_INPUT } from '../conversation/continued-response.ts'

export interface SocketAsk {
  /** The conversation of this connection that it belongs to. */
  streamId: string | undefined
  /** The body without input and the response that it goes on from. */
  settings: JsonObject
  input: unknown
  previousId: string | undefined
  /** Nothing is to be generated: the client will go on from these items. */
  isWarmUp: boolean
}

const LONGEST_STREAM_ID = 128

/** @throws relay.invalid_request, relay.unsupported_parameter */
export function readAsk(event: JsonObject): SocketAsk {
  const { type } = event
  if (type !== 'response.create')
    throw relayErrors.unsupported(
      { field: 'type', reason: 'only "response.create" is served here' },
      { field: 'type' },
    )
  const { type: _type, stream_id, stream: _stream, generate, ...body } = event
  if (body['background'] === true)
    throw relayErrors.unsupported(
      { field: 'background', reason: 'send such calls by HTTP' },
      { field: 'background' },
    )
  const { input, previous_response_id, ...settings } = body
  checkForms(input, previous_response_id)
  return {
    streamId: streamIdOf(stream_id),
    settings,
    input,
    previousId: typeof previous_response_id === 'string' ? previous_response_id : undefined,
    isWarmUp: generate === false,
  }
}

/** What stands in another form would be answered as if it were not there. @throws relay.invalid_request */
function checkForms(input: unknown, previousId: unknown): void {
  if (!isTextOrNone(input) && !Array.isArray(input))
    throw relayErrors.invalid({ reason: NO_INPUT }, { field: 'input' })
  if (!isTextOrNone(previousId))
    throw relayErrors.invalid(
      { reason: 'previous_response_id must be a text' },
      { field: 'previous_response_id' },
    )
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string'
}

/** @throws relay.invalid_request, request.malformed_json */
export function readMessage(message: string | Uint8Array): JsonObject {
  if (typeof message === 'string') checkJson(message)
  const event = typeof message === 'string' ? objectIn(message) : undefined
  if (event) return event
  throw relayErrors.invalid({ reason: 'A message must be one JSON object, as text' })
}

function streamIdOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && value.length <= LONGEST_STREAM_ID) return value
  throw relayErrors.invalid(
    { reason: `stream_id must be a text of at most ${LONGEST_STREAM_ID} characters` },
    { field: 'stream_id' },
  )
}

/** The items of an input, as the inside of a JSON list. */
export function itemsText(input: unknown): string {
  if (typeof input === 'string') return JSON.stringify({ role: 'user', content: input })
  return Array.isArray(input) ? JSON.stringify(input).slice(1, -1) : ''
}

export function joinItems(before: string, after: string): string {
  return before === '' || after === '' ? before + after : `${before},${after}`
}
