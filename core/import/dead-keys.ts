import { type DeadKey, keyList } from '../channels/keys/multi-key.ts'
import { isObject, type JsonObject } from '../contract/json.ts'
import { redactorOf } from '../secrets/redact.ts'

/** Any other status of a key is one that it was disabled with. */
const ENABLED = 1

/** The keys of a channel that were disabled there. What it notes of its keys names them by their place among the lines, from 0.
 *  @param keys the keys as they are stored here, which has each of them once */
export function deadKeysThere(
  info: JsonObject,
  keyText: string,
  keys: readonly string[],
): DeadKey[] {
  const statuses = info['multi_key_status_list']
  if (!isObject(statuses)) return []
  const lines =
    keyList(keyText) ??
    keyText
      .replace(/^\n/, '')
      .split('\n')
      .map((line) => line.trim())
  const dead = new Map<number, DeadKey>()
  for (const [place, status] of Object.entries(statuses)) {
    const position = keys.indexOf(lines[Number(place)] ?? '') + 1
    if (status === ENABLED || position === 0) continue
    dead.set(position, {
      position,
      reason: redactorOf(keys).text(textOf(info['multi_key_disabled_reason'], place)),
      time: Number(textOf(info['multi_key_disabled_time'], place)),
    })
  }
  return [...dead.values()]
}

function textOf(map: unknown, place: string): string {
  const value = isObject(map) ? map[place] : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
