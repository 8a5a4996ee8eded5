import type { SseEvent } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import { UpstreamError } from '../../contract/errors.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { boundedJson } from '../../wire/bounded-json.ts'

/** Shared, so that pings and comments cost no allocation; nobody may add to it. */
export const NO_EVENTS: ChatEvent[] = Object.freeze([] as ChatEvent[]) as ChatEvent[]

/** The event's data as an object, parsed once and kept on the event.
 *  @throws UpstreamError when it is no JSON object */
export function parsedEvent(event: SseEvent): JsonObject {
  event.json ??= parsedData(event.data)
  if (isObject(event.json)) return event.json
  throw unreadable()
}

/** @throws UpstreamError when it is no JSON */
export function parsedData(data: string): unknown {
  try {
    return boundedJson(data)
  } catch (cause) {
    throw unreadable(cause)
  }
}

/** An answer that does not follow its dialect. */
export function unreadable(cause?: unknown): UpstreamError {
  return new UpstreamError(
    {
      status: 200,
      message: 'The upstream sent an answer that cannot be read.',
      code: 'bad_response_body',
      isKnownShape: true,
    },
    'upstream',
    { cause },
  )
}

/** One event without a name, the form of the OpenAI chat and the Gemini dialect. */
export function dataEvent(data: JsonObject): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

/** The end of an event that takes the place of another: Google's Go SDK splits no stream whose line ends differ. */
export function blankLineOf(raw: string): string {
  return raw.endsWith('\r\n') ? '\r\n\r\n' : '\n\n'
}

/** One event with a name, the form of the Anthropic and the Responses dialect. */
export function namedEvent(name: string, data: JsonObject): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
