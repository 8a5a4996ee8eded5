import type { ClientError } from '../../contract/dialect.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { codecs } from '../../dialects/index.ts'

/** A failure as the realtime API writes it. */
export function errorFrame(error: ClientError): string {
  return JSON.stringify({
    type: 'error',
    event_id: `evt_${error.requestId}`,
    ...codecs['openai-chat'].writeError(error),
  })
}

/** The prompt in a client's frame, in the fields of a body; undefined if the frame has none. */
export function promptOf(frame: JsonObject): JsonObject | undefined {
  switch (frame['type']) {
    case 'conversation.item.create':
      return { input: [frame['item']] }
    case 'response.create':
      return isObject(frame['response']) ? frame['response'] : undefined
    case 'session.update':
      return isObject(frame['session']) ? frame['session'] : undefined
    default:
      return undefined
  }
}
