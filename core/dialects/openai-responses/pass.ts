import type { AnswerMeta, ClientError, PassFilter, SseEvent } from '../../contract/dialect.ts'
import type { ChatEvent, Usage } from '../../contract/neutral.ts'
import { isObject, type JsonObject, objectIn } from '../../contract/json.ts'
import { ownText } from '../../wire/own-text.ts'
import { compact } from '../neutral/fields.ts'
import { parsedEvent } from '../neutral/parsed-event.ts'
import { passFilterOf } from '../neutral/pass-filter.ts'
import { streamError } from './errors.ts'
import { writeUsage } from './usage.ts'

/** Longer announcements repeat the client's instructions and tools. */
const MOST_KEPT_CHARS = 4_096

/** Passes events on unchanged, except for the end mark of the chat dialect that some servers add. */
export function passFilter(_meta: AnswerMeta): PassFilter {
  let announced: JsonObject | string | undefined
  const pass = (event: SseEvent, events: readonly ChatEvent[]) => {
    // Comments and events that keep the connection open may come before it.
    announced ??= announcedIn(event, events)
    return event.data === '[DONE]' ? undefined : event.raw
  }
  const error = (failure: ClientError, before: string) =>
    streamError(failure, before, responseOf(announced))
  return Object.assign(
    passFilterOf(pass, () => ''),
    { error },
  )
}

/** What an error will repeat of the response: kept for as long as the stream is open, so as little as serves. */
function announcedIn(
  event: SseEvent,
  events: readonly ChatEvent[],
): JsonObject | string | undefined {
  const start = events.find(({ type }) => type === 'start')
  if (start?.type !== 'start') return undefined
  if (event.data.length <= MOST_KEPT_CHARS) return ownText(event.data)
  const { response } = parsedEvent(event)
  return compact({
    id: start.id,
    object: 'response',
    created_at: start.created,
    model: start.model,
    background: isObject(response) && response['background'] === true,
    output: [],
  })
}

function responseOf(announced: JsonObject | string | undefined): JsonObject | undefined {
  if (typeof announced !== 'string') return announced?.['id'] === undefined ? undefined : announced
  const response = objectIn(announced)?.['response']
  return isObject(response) ? response : undefined
}

export function passAnswer(body: JsonObject, _meta: AnswerMeta, counted?: Usage): JsonObject {
  if (isObject(body.usage) || counted === undefined) return body
  return { ...body, usage: writeUsage(counted) }
}
