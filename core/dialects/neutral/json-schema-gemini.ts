// Converts the subset of OpenAPI in Gemini's `parameters` and `responseSchema` to JSON Schema.
import { isObject, type JsonObject } from '../../contract/json.ts'

/** Google's SDKs write 64-bit counts as text; JSON Schema accepts only numbers. */
const counts: ReadonlySet<string> = new Set(
  'minItems maxItems minLength maxLength minProperties maxProperties'.split(' '),
)
const digits = /^\d{1,15}$/

/** Converts Google's upper-case types, counts in text and `nullable`. */
export function fromGeminiSchema(schema: JsonObject): JsonObject {
  return lowered(schema) as JsonObject
}

function lowered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowered)
  if (!isObject(value)) return value
  const result: JsonObject = {}
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'nullable' || key === 'propertyOrdering') continue
    if (key === 'enum') result[key] = inner
    else if (key === 'type' && typeof inner === 'string') result[key] = inner.toLowerCase()
    else if (key === 'properties' && isObject(inner)) result[key] = loweredAll(inner)
    else if (counts.has(key)) result[key] = countOf(inner)
    else result[key] = lowered(inner)
  }
  if (value.nullable === true && typeof result.type === 'string')
    result.type = [result.type, 'null']
  return result
}

function countOf(value: unknown): unknown {
  return typeof value === 'string' && digits.test(value) ? Number(value) : value
}

/** Names of properties are not keywords. */
function loweredAll(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, lowered(schema)]),
  )
}
