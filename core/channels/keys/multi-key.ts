// Several keys in one channel, switched on by `multi_key: true` in its setting. `multi_key_mode` says how a key is
// picked: `random` (default) or `polling`, in turn. Without the switch each line of a key makes a channel of its own.
import type { Adapter, ChannelView } from '../../contract/adapter.ts'
import { isObject, type JsonObject, objectIn } from '../../contract/json.ts'
import { keyLines } from '../channel-input.ts'

/** A key that its upstream refused. It is stored as its position, from 1, so that the list does not reveal it. */
export interface DeadKey {
  position: number
  reason: string
  /** Unix seconds. */
  time: number
}

export function isMultiKey(setting: Readonly<JsonObject>): boolean {
  return setting['multi_key'] === true
}

/** The keys in a stored key text. If keys themselves may contain newlines, several keys are a JSON list. */
export function keysOf(
  key: string,
  setting: Readonly<JsonObject>,
  adapter: Adapter | undefined,
): string[] {
  if (!isMultiKey(setting)) return [key]
  const keys = adapter?.form?.isMultilineKey ? (keyList(key) ?? [key]) : keyLines(key)
  return keys.length === 0 ? [key] : keys
}

/** The keys of a JSON list; undefined for any other text. */
export function keyList(key: string): string[] | undefined {
  try {
    const list: unknown = JSON.parse(key)
    if (!Array.isArray(list)) return undefined
    return list.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry)))
  } catch {
    return undefined
  }
}

/** Read from the channel's other_info, or from what a caller says that this is. */
export function deadKeysOf(otherInfo: string): DeadKey[] {
  if (!otherInfo.includes('dead_keys')) return []
  const listed = objectIn(otherInfo)?.['dead_keys']
  return Array.isArray(listed) ? listed.filter(isDeadKey) : []
}

function isDeadKey(entry: unknown): entry is DeadKey {
  if (!isObject(entry)) return false
  const { position, reason, time } = entry
  return typeof position === 'number' && typeof reason === 'string' && typeof time === 'number'
}

/** The keys that are not known to be dead. If all are dead, all of them: then the channel itself gets disabled. */
export function liveKeys(keys: readonly string[], dead: readonly DeadKey[]): readonly string[] {
  const positions = new Set(dead.map(({ position }) => position))
  const live = keys.filter((_key, index) => !positions.has(index + 1))
  return live.length === 0 ? keys : live
}

/** Whether a failure concerns the key and not the whole channel. */
export function isOfKey(failureClass: string): boolean {
  return failureClass === 'invalid-credentials' || failureClass === 'insufficient-funds'
}

/** Whether a call could still use another key of the channel. */
export function hasFreshKey(views: readonly ChannelView[], tried: ReadonlySet<string>): boolean {
  return views.length > 1 && views.some(({ key }) => !tried.has(key))
}

function without(views: readonly ChannelView[], keys: ReadonlySet<string> | undefined) {
  return keys ? views.filter(({ key }) => !keys.has(key)) : views
}

const turns = new WeakMap<readonly ChannelView[], number>()

/** The channel with the key to use now. Keys that this call has tried are skipped while others remain, and then those
 *  that were refused. */
export function pickKey(
  views: readonly ChannelView[],
  tried: ReadonlySet<string> | undefined,
  refused?: ReadonlySet<string>,
): ChannelView {
  const fresh = without(views, tried)
  const rest = fresh.length === 0 ? without(views, refused) : fresh
  const choice = rest.length === 0 ? views : rest
  const first = choice[0] as ChannelView
  if (choice.length === 1) return first
  if (first.setting['multi_key_mode'] !== 'polling')
    return choice[Math.floor(Math.random() * choice.length)] ?? first
  const turn = turns.get(views) ?? 0
  turns.set(views, turn + 1)
  return choice[turn % choice.length] ?? first
}
