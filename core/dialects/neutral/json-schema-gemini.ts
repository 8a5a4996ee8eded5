// From the subset of OpenAPI that Gemini's `parameters` and `responseSchema` take to JSON Schema.
import { isObject, type JsonObject } from '../../contract/json.ts'

/** Google's upper-case types and `nullable` as JSON Schema says them. */
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
    else result[key] = lowered(inner)
  }
  if (value.nullable === true && typeof result.type === 'string')
    result.type = [result.type, 'null']
  return result
}

/** Names of properties are no keywords. */
function loweredAll(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, lowered(schema)]),
  )
}
