// Reads from the last event of a response what the next turn goes on from.
import type { SseEvent } from '../../contract/dialect.ts'
import { isObject, objectIn } from '../../contract/json.ts'

/** A finished response and its items, as the inside of a JSON list. */
export interface TurnOutput {
  id: string
  items: string
}

/** The form of the gateway's own ids (http/request-id.ts). An upstream does not know such a response. */
const OWN_ID = /^resp_\d{23}[0-9A-Za-z]{8}$/

const CLOSING = /^response\.(?:completed|incomplete)$/
/** For events that only their data names, wherever in it. */
const MAY_CLOSE = /"response\.(?:completed|incomplete)"/

export function isOwnId(responseId: string): boolean {
  return OWN_ID.test(responseId)
}

/** @param isStored whether the upstream keeps what it answered
 *  @returns undefined unless the event ends a response that only this connection remembers */
export function outputOf({ event, data }: SseEvent, isStored: boolean): TurnOutput | undefined {
  if (event === undefined ? !MAY_CLOSE.test(data) : !CLOSING.test(event)) return undefined
  const { type = event, response } = objectIn(data) ?? {}
  if (!CLOSING.test(String(type))) return undefined
  if (!isObject(response) || typeof response['id'] !== 'string') return undefined
  const { id, output } = response
  const isOwn = isOwnId(id)
  if (isStored && !isOwn) return undefined
  const items = Array.isArray(output) ? output.filter((item) => isOwn || mayBeSent(item)) : []
  return { id, items: JSON.stringify(items).slice(1, -1) }
}

/** A thought that is not sealed is known to its provider alone, and not for long. */
function mayBeSent(item: unknown): boolean {
  if (!isObject(item) || item['type'] !== 'reasoning') return true
  return typeof item['encrypted_content'] === 'string' && item['encrypted_content'] !== ''
}
