// Refuses JSON objects in which a key occurs twice. `JSON.parse` keeps the last value and other parsers the first, so
// the upstream could serve something else than was priced. Found by counting: a text with more members than its parsed
// value repeats a key.
import type { JsonObject } from '../../contract/json.ts'

const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c
/** Most strings of a request are shorter; for longer ones a native search is faster than a loop. */
const SHORT_STRING_BYTES = 24

/** A key that some object of the text holds twice; undefined if there is none. `value` is the parsed text, `members`
 *  the number of fields in the text. */
export function repeatedKey(bytes: Buffer, value: JsonObject, members: number): string | undefined {
  return members === membersOf(value) ? undefined : findRepeated(bytes)
}

/** The position after the string whose opening quote precedes `start`. Reads each byte at most twice. */
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

/** Finds the key by a slow search; used only for the message when a body is refused. */
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
