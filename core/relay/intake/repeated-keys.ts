// Keys that occur twice in a JSON object. `JSON.parse` keeps the last one, other parsers the first, so that something else could be
// served than was priced. Found by counting: a text with more members than its parsed value repeats a key.
import type { JsonObject } from '../../contract/json.ts'

const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c
/** Most strings of a request are shorter; beyond this length a native search is faster than a loop. */
const SHORT_STRING_BYTES = 24

/** A key that some object of the text has twice; undefined when there is none. `value` is what the text parses as, `members` how many fields
 *  stand in the text. */
export function repeatedKey(bytes: Buffer, value: JsonObject, members: number): string | undefined {
  return members === membersOf(value) ? undefined : findRepeated(bytes)
}

/** The position after the string that began before `start`. Each byte is read at most twice. */
function afterString(bytes: Buffer, start: number): number {
  let at = start
  for (;;) {
    const slowUntil = Math.min(at + SHORT_STRING_BYTES, bytes.length)
    while (at < slowUntil) {
      const byte = bytes[at]
      if (byte === QUOTE) return at + 1
      at += byte === BACKSLASH ? 2 : 1
    }
    const quote = bytes.indexOf(QUOTE, at)
    if (quote < 0) return bytes.length
    const isEscaped = backslashesBefore(bytes, quote, at) % 2 === 1
    at = quote + 1
    if (!isEscaped) return at
  }
}

function backslashesBefore(bytes: Buffer, end: number, start: number): number {
  let at = end
  while (at > start && bytes[at - 1] === BACKSLASH) at -= 1
  return end - at
}

function membersOf(value: object): number {
  let members = 0
  if (Array.isArray(value)) {
    for (const inner of value as unknown[])
      if (typeof inner === 'object' && inner !== null) members += membersOf(inner)
    return members
  }
  for (const key in value) {
    const inner = (value as JsonObject)[key]
    members += 1
    if (typeof inner === 'object' && inner !== null) members += membersOf(inner)
  }
  return members
}

const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d

/** The slow search, for the message to a client whose body is refused. */
function findRepeated(bytes: Buffer): string | undefined {
  const open: (Set<string> | undefined)[] = []
  let [start, end] = [0, 0]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      start = at
      end = afterString(bytes, at + 1)
      at = end - 1
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      open.push(byte === OPEN_OBJECT ? new Set() : undefined)
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      open.pop()
    } else if (byte === COLON) {
      const key = textOf(bytes.subarray(start, end))
      if (open.at(-1)?.has(key)) return key
      open.at(-1)?.add(key)
    }
  }
  return undefined
}

function textOf(quoted: Buffer): string {
  if (quoted.includes(BACKSLASH)) return JSON.parse(quoted.toString('utf8')) as string
  return quoted.toString('utf8', 1, quoted.length - 1)
}
