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
