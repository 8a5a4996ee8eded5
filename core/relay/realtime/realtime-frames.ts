import type { ClientError } from '../../contract/dialect.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { codecs } from '../../dialects/index.ts'

/** RFC 6455 section 7.4.1; 1013 is in the registry of that section. Decision 0007 says what each one means here. */
export const closeCodes = {
  normal: 1000,
  goingAway: 1001,
  policy: 1008,
  failed: 1011,
  tryAgainLater: 1013,
} as const

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
