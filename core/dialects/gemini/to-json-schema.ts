// Converts the subset of OpenAPI in Gemini's `parameters` and `responseSchema` to JSON Schema.
import { isObject, type JsonObject } from '../../contract/json.ts'

/** Google's SDKs write 64-bit counts as text; JSON Schema accepts only numbers. */
const counts: ReadonlySet<string> = new Set(
  'minItems maxItems minLength maxLength minProperties maxProperties'.split(' '),
)
/** The API reads either case of its keywords, and Google's SDK for Python writes this one. */
const snakeCase: ReadonlyMap<string, string> = new Map(
  [...counts, 'anyOf', 'additionalProperties', 'propertyOrdering'].map((key) => [
    key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    key,
  ]),
)
const digits = /^\d{1,15}$/

/** Converts Google's upper-case types, keywords in snake case, counts in text and `nullable`. */
export function fromGeminiSchema(schema: JsonObject): JsonObject {
  return lowered(schema) as JsonObject
}

function lowered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowered)
  if (!isObject(value)) return value
  const result: JsonObject = {}
  for (const [name, inner] of Object.entries(value)) {
    const key = snakeCase.get(name) ?? name
    if (key === 'nullable' || key === 'propertyOrdering') continue
    if (key === 'enum') result[key] = inner
    else if (key === 'type' && typeof inner === 'string') result[key] = inner.toLowerCase()
    else if (key === 'properties' && isObject(inner)) result[key] = loweredAll(inner)
    else if (counts.has(key)) result[key] = countOf(inner)
    else result[key] = lowered(inner)
  }
  return value.nullable === true ? withNull(result) : result
}

/** Every keyword of JSON Schema must allow the value, so that null belongs into each of these. */
function withNull(schema: JsonObject): JsonObject {
  const { type, enum: values, anyOf } = schema
  return {
    ...schema,
    ...(typeof type === 'string' ? { type: [type, 'null'] } : {}),
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: [...anyOf, { type: 'null' }] } : {}),
  }
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
