// Applies a channel's `param_override` to the body that goes upstream. Nothing that was given is changed: what a change
// touches is copied.
import { isDeepStrictEqual } from 'node:util'
import type { Body } from '../../../contract/adapter.ts'
import { isObject, type JsonObject } from '../../../contract/json.ts'
import { type BodyChange, type Condition, type Path } from '../../../channels/param-override.ts'
import type { Attempt } from '../../attempt/attempt.ts'
import { MatchingTime, replaceMatches } from './replace-matches.ts'

/** Longer texts are not made: a client's text may hold very often what is replaced. */
const LONGEST_TEXT = 16 * 1_048_576
/** What the copies of one call add together: a copy into its own source doubles it, and the next one does so again. */
const MOST_COPIED = 16 * 1_048_576
/** Steps that one search with each pattern of a call may take together, a tenth of a second at the worst: each character of a text may meet each
 *  instruction of a pattern. */
const MOST_MATCHING = 4_194_304

/** What the changes of one call may still take. */
interface Room {
  /** Characters that copies add. */
  left: number
  matching: number
  /** From the first pattern on. */
  time?: MatchingTime
}

/** Names of the call that conditions may ask for beside the body's fields. */
interface CallNames {
  original_model: string
  upstream_model: string
}

/** The body with the channel's overrides, the same object if it has none. They never change the model, the stream flag
 *  or a key. */
export function withOverrides(body: Body, { channel, context }: Attempt): Body {
  const { paramOverride } = channel
  if (paramOverride === undefined) return body
  const names = { original_model: context.requestedModel, upstream_model: context.model }
  const room: Room = { left: MOST_COPIED, matching: MOST_MATCHING }
  let changed: JsonObject = { ...body, ...paramOverride.fields }
  for (const change of paramOverride.changes)
    if (isMeant(change, changed, names)) changed = withChange(changed, change, room)
  return changed
}

function isMeant({ conditions, needsAll }: BodyChange, body: JsonObject, names: CallNames) {
  if (conditions.length === 0) return true
  const holds = (condition: Condition) => isMet(condition, body, names)
  return needsAll ? conditions.every(holds) : conditions.some(holds)
}

function isMet(condition: Condition, body: JsonObject, names: CallNames): boolean {
  // The gateway's words come first: a client may send fields of these names.
  const found = valueAt(names, condition.path) ?? valueAt(body, condition.path)
  if (found === undefined) return condition.whenMissing
  return compare(condition, found) !== condition.isInverted
}

function compare({ mode, value }: Condition, found: unknown): boolean {
  switch (mode) {
    case 'full':
      return isDeepStrictEqual(found, value)
    case 'prefix':
      return textOf(found).startsWith(textOf(value))
    case 'suffix':
      return textOf(found).endsWith(textOf(value))
    case 'contains':
      return Array.isArray(found) ? found.includes(value) : textOf(found).includes(textOf(value))
    default:
      return compareNumbers(mode, numberOf(found), numberOf(value))
  }
}

/** Of a number, also as a text; NaN, which compares with nothing, for all else. */
function numberOf(value: unknown): number {
  const isScalar = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
  return isScalar ? Number(value) : Number.NaN
}

function compareNumbers(mode: 'gt' | 'gte' | 'lt' | 'lte', left: number, right: number): boolean {
  if (mode === 'gt') return left > right
  if (mode === 'gte') return left >= right
  return mode === 'lt' ? left < right : left <= right
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

function withChange(body: JsonObject, change: BodyChange, room: Room): JsonObject {
  const { mode, path, source, value } = change
  if (mode === 'delete') return asBody(without(body, path), body)
  if (mode === 'move' || mode === 'copy') {
    const found = valueAt(body, source)
    if (found === undefined || (mode === 'copy' && !takes(room, found))) return body
    return asBody(withValue(mode === 'move' ? without(body, source) : body, path, found), body)
  }
  const own = valueAt(body, path)
  if (mode === 'set')
    return change.keepsOwn && own !== undefined ? body : asBody(withValue(body, path, value), body)
  const next = edited(own, change, room)
  return next === undefined || next === own ? body : asBody(withValue(body, path, next), body)
}

/** Whether there is room for a copy of the value. What has been counted is gone from it in either case, so that all counting together is bounded. */
function takes(room: Room, value: unknown): boolean {
  const waiting = [value]
  while (waiting.length > 0 && room.left > 0) {
    const next = waiting.pop()
    room.left -= typeof next === 'string' ? next.length + 2 : 8
    if (Array.isArray(next)) for (const inner of next as unknown[]) waiting.push(inner)
    else if (isObject(next)) {
      for (const [name, inner] of Object.entries(next)) {
        room.left -= name.length
        waiting.push(inner)
      }
    }
  }
  return room.left > 0
}

/** What takes the place of a value; undefined if it is of a kind that the change does not know. */
function edited(own: unknown, change: BodyChange, room: Room): unknown {
  const { mode, value } = change
  if (mode === 'append' || mode === 'prepend') return joined(own, change)
  if (typeof own !== 'string') return undefined
  const text = typeof value === 'string' ? value : ''
  switch (mode) {
    case 'trim_prefix':
      return own.startsWith(text) ? own.slice(text.length) : own
    case 'trim_suffix':
      return own.endsWith(text) ? own.slice(0, own.length - text.length) : own
    case 'ensure_prefix':
      return own.startsWith(text) ? own : text + own
    case 'ensure_suffix':
      return own.endsWith(text) ? own : own + text
    case 'trim_space':
      return own.trim()
    case 'to_lower':
      return own.toLowerCase()
    case 'to_upper':
      return own.toUpperCase()
    case 'regex_replace':
      return matched(own, change, room)
    default:
      return replaced(own, change.from, change.to)
  }
}

/** Texts and lists are joined, fields of objects put together. */
function joined(own: unknown, { mode, value, keepsOwn }: BodyChange): unknown {
  if (own === undefined) return value
  const [first, second] = mode === 'append' ? [own, value] : [value, own]
  if (typeof own === 'string') return textOf(first) + textOf(second)
  if (Array.isArray(own)) return [first, second].flat(1)
  if (!isObject(own) || !isObject(value)) return undefined
  return keepsOwn ? { ...value, ...own } : { ...own, ...value }
}

function replaced(text: string, from: string, to: string): string {
  let count = 0
  for (let at = text.indexOf(from); at >= 0; at = text.indexOf(from, at + from.length)) count += 1
  const isTooLong = text.length + count * (to.length - from.length) > LONGEST_TEXT
  // A fifth of the time that replaceAll takes for a letter in a text of 16 MB.
  return count === 0 || isTooLong ? text : text.split(from).join(to)
}

function matched(text: string, { pattern, to }: BodyChange, room: Room): string {
  if (pattern === undefined) return text
  room.matching -= text.length * pattern.programSize()
  if (room.matching < 0) return text
  const time = (room.time ??= new MatchingTime())
  return replaceMatches(text, pattern, to, { time, longest: LONGEST_TEXT })
}

function valueAt(value: unknown, path: Path): unknown {
  let found: unknown = value
  for (const step of path) {
    if (Array.isArray(found)) found = found[indexOf(found, step)]
    else if (isObject(found) && Object.hasOwn(found, step)) found = found[step]
    else return undefined
  }
  return found
}

/** A copy with the value at the path; objects that lie on the way are made. The same where the path leads nowhere. */
function withValue(owner: unknown, path: Path, value: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return value
  if (Array.isArray(owner)) {
    const index = indexOf(owner, step)
    if (!(index >= 0 && index <= owner.length)) return owner
    return owner.toSpliced(index, 1, withValue(owner[index], rest, value))
  }
  if (isObject(owner)) {
    const own = Object.hasOwn(owner, step) ? owner[step] : undefined
    return { ...owner, [step]: withValue(own, rest, value) }
  }
  return owner === undefined || owner === null
    ? { [step]: withValue(undefined, rest, value) }
    : owner
}

function without(owner: unknown, path: Path): unknown {
  const [step = '', ...rest] = path
  if (Array.isArray(owner)) {
    const index = indexOf(owner, step)
    if (!(index >= 0 && index < owner.length)) return owner
    return rest.length === 0
      ? owner.toSpliced(index, 1)
      : owner.toSpliced(index, 1, without(owner[index], rest))
  }
  if (!isObject(owner) || !Object.hasOwn(owner, step)) return owner
  if (rest.length > 0) return { ...owner, [step]: without(owner[step], rest) }
  const { [step]: _gone, ...others } = owner
  return others
}

/** Of a whole number, from the end where it is negative; NaN for another word. */
function indexOf(list: readonly unknown[], step: string): number {
  if (!/^-?\d{1,9}$/.test(step)) return Number.NaN
  const index = Number(step)
  return index < 0 ? list.length + index : index
}

function asBody(value: unknown, otherwise: JsonObject): JsonObject {
  return isObject(value) ? value : otherwise
}
