import { isObject, type JsonObject, objectIn } from '../../contract/json.ts'
import type { ChatEvent, Usage } from '../../contract/neutral.ts'
import { boundedUsage, usageOf } from '../../dialects/neutral/usage.ts'
import { STORED_VERSION } from '../hooks/keep-answer.ts'

export type StoredAnswer =
  | { kind: 'chat'; events: readonly ChatEvent[]; usage: Usage }
  | { kind: 'json'; body: JsonObject; usage: Usage }

/** Undefined if the text was not written by this gateway, in another version, or for another key. */
export function readStored(text: string, key: string): StoredAnswer | undefined {
  const value = objectIn(text)
  if (value?.['version'] !== STORED_VERSION || value['key'] !== key) return undefined
  const { kind, events, body } = value
  if (!isObject(value['usage'])) return undefined
  const usage = boundedUsage(usageOf(value['usage']))
  if (kind === 'json' && isObject(body)) return { kind, body, usage }
  return kind === 'chat' && Array.isArray(events) && events.every(isEvent)
    ? { kind, events, usage }
    : undefined
}

function isEvent(value: unknown): value is ChatEvent {
  return isObject(value) && typeof value['type'] === 'string' && value['type'] !== 'error'
}
