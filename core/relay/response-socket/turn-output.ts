// Reads from the last event of a response what the next turn goes on from.
import type { SseEvent } from '../../contract/dialect.ts'
import { isObject, objectIn } from '../../contract/json.ts'
import { isTurnId } from '../conversation/answer-items.ts'

/** A finished response and its items, as the inside of a JSON list. */
export interface TurnOutput {
  id: string
  items: string
}

const CLOSING = /^response\.(?:completed|incomplete)$/
/** For events that only their data names, wherever in it. */
const MAY_CLOSE = /"response\.(?:completed|incomplete)"/

/** @returns undefined unless the event ends a response */
export function outputOf({ event, data }: SseEvent): TurnOutput | undefined {
  if (event === undefined ? !MAY_CLOSE.test(data) : !CLOSING.test(event)) return undefined
  const { type = event, response } = objectIn(data) ?? {}
  if (!CLOSING.test(String(type))) return undefined
  if (!isObject(response) || typeof response['id'] !== 'string') return undefined
  const { id, output } = response
  const isOwn = isTurnId(id)
  const items = Array.isArray(output) ? output.filter((item) => isOwn || mayBeSent(item)) : []
  return { id, items: JSON.stringify(items).slice(1, -1) }
}

/** A thought that is not sealed is known to its provider alone, and not for long. */
function mayBeSent(item: unknown): boolean {
  if (!isObject(item) || item['type'] !== 'reasoning') return true
  return typeof item['encrypted_content'] === 'string' && item['encrypted_content'] !== ''
}
