export type JsonValue =
  | null
  | boolean
  | number
  | string
  | JsonValue[]
  | { [key: string]: JsonValue }

/** A parsed JSON object of unknown shape. Treat it as read-only: edits return a new object, so that identity means "unchanged". */
export type JsonObject = { [key: string]: unknown }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An empty object for any other value. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** The text of a field; anything else counts as empty. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The same, where an empty one says nothing. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The objects of a list; anything else holds none. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** The JSON object that a text holds; undefined for any other text. */
export function objectIn(text: string): JsonObject | undefined {
  // What was never saved: an exception would cost more than the look.
  if (text === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** One string, number or word of JSON, from where it is looked for. */
const ATOM =
  /"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[ !#-[\]-\uffff]*)*"|true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?/y
const BLANK = /[\t\n\r ]*/y

type Wanted = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'rest'

/** Line and column, both from 1, where a text that is not JSON stops being it: the first character that does not fit, or its end.
 *  Undefined: it is JSON. The errors of JSON.parse tell no place for the most usual fault, a value that is missing, and differ
 *  between browsers. */
export function jsonFaultIn(text: string): { line: number; column: number } | undefined {
  const at = faultAt(text)
  if (at === undefined) return undefined
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

function faultAt(text: string): number | undefined {
  const open: string[] = []
  let wanted: Wanted = 'value'
  for (let at = endOf(BLANK, text, 0); ; at = endOf(BLANK, text, at)) {
    if (wanted === 'rest' && open.length === 0) return at < text.length ? at : undefined
    const sign = text[at] ?? ''
    const mayEnd = wanted === 'rest' || wanted.endsWith('or end')
    if (mayEnd && sign === open.at(-1)) {
      open.pop()
      wanted = 'rest'
      at += 1
    } else if (wanted === 'rest' || wanted === 'colon') {
      if (sign !== (wanted === 'rest' ? ',' : ':')) return at
      wanted = wanted === 'rest' && open.at(-1) === '}' ? 'name' : 'value'
      at += 1
    } else if (wanted.startsWith('value') && (sign === '{' || sign === '[')) {
      open.push(sign === '{' ? '}' : ']')
      wanted = sign === '{' ? 'name or end' : 'value or end'
      at += 1
    } else {
      const end = endOf(ATOM, text, at)
      if (end === at || (wanted.startsWith('name') && sign !== '"')) return at
      wanted = wanted.startsWith('name') ? 'colon' : 'rest'
      at = end
    }
  }
}

/** Where a match at this place ends; the place itself where there is none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
