// JSON is bounded before it is parsed: a few kilobytes of brackets, packed, would else become gigabytes of objects.

const MAX_DEPTH = 128
/** Ten times the longest list of tokens that an embedding call may carry. */
const MAX_NODES = 500_000
/** Each name that is new to the engine is kept apart, and an object of many is slow: half a million hold the loop for two seconds. */
const MAX_NAMES = 50_000
/** Of these every object is slow anew, whether its names came before or not; all of them together hold as many fields as there may be names. */
const LARGE_OBJECT = 1000

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** How many fields the objects have that are open, by depth. One text is read at a time. */
const fieldsAt = new Uint32Array(MAX_DEPTH + 1)

export interface JsonMeasure {
  /** What is too much; undefined: it is within bounds. */
  fault: string | undefined
  /** Fields of all its objects, where nothing is too much and the text is JSON: colons outside of strings. */
  members: number
}

/** Reads each character once, strings by leaps. */
export function measureJson(text: string): JsonMeasure {
  let nodes = 0
  let members = 0
  let fieldsOfLarge = 0
  let depth = 0
  const tooMuch = (fault: string) => ({ fault, members })
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at)
        break
      case OPEN_LIST:
      case OPEN_OBJECT:
        depth += 1
        nodes += 1
        if (depth > MAX_DEPTH) return tooMuch(`it is nested more than ${MAX_DEPTH} levels deep`)
        fieldsAt[depth] = 0
        break
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth -= 1
        break
      case COLON:
        members += 1
        fieldsOfLarge += takeField(depth)
        if (fieldsOfLarge > MAX_NAMES) return tooMuch(tooLarge)
        break
      case COMMA:
        nodes += 1
        if (nodes > MAX_NODES) return tooMuch(`it holds more than ${MAX_NODES} values`)
    }
  }
  if (nodes > MAX_NODES) return tooMuch(`it holds more than ${MAX_NODES} values`)
  if (members > MAX_NAMES && hasManyNames(text))
    return tooMuch(`its fields have more than ${MAX_NAMES} different names`)
  return { fault: undefined, members }
}

const tooLarge = `its objects of more than ${LARGE_OBJECT} fields have more than ${MAX_NAMES} of them`

/** How many fields of large objects one more at this depth makes. */
function takeField(depth: number): number {
  const count = (fieldsAt[depth] ?? 0) + 1
  fieldsAt[depth] = count
  if (count <= LARGE_OBJECT) return 0
  return count === LARGE_OBJECT + 1 ? count : 1
}

/** Long lists of alike objects have few. */
function hasManyNames(text: string): boolean {
  const names = new Set<string>()
  let last = ''
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const end = endOfString(text, at)
      last = text.slice(at, end)
      at = end
    } else if (code === COLON) {
      names.add(last)
      if (names.size > MAX_NAMES) return true
    }
  }
  return false
}

/** The place of the closing quote. Backslashes are counted back from each quote only, so none is read twice. */
function endOfString(text: string, start: number): number {
  let at = start
  for (;;) {
    at = text.indexOf('"', at + 1)
    if (at < 0) return text.length
    let before = at - 1
    while (text.charCodeAt(before) === BACKSLASH) before -= 1
    if ((at - before) % 2 === 1) return at
  }
}
