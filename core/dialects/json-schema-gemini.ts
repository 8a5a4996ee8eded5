// Between JSON Schema and the subset of OpenAPI that Gemini's `parameters` and `responseSchema` take.
import { isObject, type JsonObject } from '../contract/json.ts'

/** What the subset knows. Source: ai.google.dev/api/caching#Schema. */
const KEPT = new Set([
  'type',
  'format',
  'description',
  'nullable',
  'enum',
  'items',
  'properties',
  'required',
  'anyOf',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'propertyOrdering',
])

const KEPT_FORMATS = new Set(['enum', 'date-time'])

/** The reduced schema; undefined when it refers to itself, which the subset cannot say. */
export function toGeminiSchema(schema: JsonObject): JsonObject | undefined {
  try {
    return reduce(schema, { root: schema, path: [] })
  } catch (error) {
    if (error instanceof RecursiveSchema) return undefined
    throw error
  }
}

class RecursiveSchema extends Error {}

interface Reduction {
  root: JsonObject
  /** References being followed. */
  path: readonly string[]
}

function reduce(given: JsonObject, reduction: Reduction): JsonObject {
  if (typeof given.$ref === 'string') return followReference(given, given.$ref, reduction)
  const schema = withoutNull(merged(given, reduction), reduction)
  const result: JsonObject = {}
  for (const [key, value] of Object.entries(schema)) {
    const kept = reduceKey(key, value, schema, reduction)
    if (kept !== undefined) result[key] = kept
  }
  if (schema.const !== undefined) result.enum = [textOf(schema.const)]
  if (result.type === undefined && result.enum !== undefined) result.type = 'string'
  return result
}

function followReference(given: JsonObject, reference: string, reduction: Reduction): JsonObject {
  if (reduction.path.includes(reference)) throw new RecursiveSchema()
  const target = resolve(reduction.root, reference)
  const { $ref: _reference, ...beside } = given
  const inner = { ...reduction, path: [...reduction.path, reference] }
  return reduce({ ...target, ...beside }, inner)
}

/** `#/$defs/Name`, by JSON pointer; `#` is the schema itself. */
function resolve(root: JsonObject, reference: string): JsonObject {
  if (reference === '#') return root
  let target: unknown = root
  for (const step of reference.replace(/^#\//, '').split('/')) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    target = isObject(target) ? target[key] : undefined
  }
  return isObject(target) ? target : {}
}

/** `allOf` of objects is one object; `oneOf` is the nearest to `anyOf`. */
function merged(schema: JsonObject, reduction: Reduction): JsonObject {
  const result = { ...schema }
  if (Array.isArray(schema.oneOf) && schema.anyOf === undefined) result.anyOf = schema.oneOf
  if (!Array.isArray(schema.allOf)) return result
  for (const part of schema.allOf.filter(isObject)) {
    const inner = typeof part.$ref === 'string' ? resolve(reduction.root, part.$ref) : part
    const properties = { ...asObject(result.properties), ...asObject(inner.properties) }
    const required = [...asList(result.required), ...asList(inner.required)]
    Object.assign(result, inner, schema)
    if (Object.keys(properties).length > 0) result.properties = properties
    if (required.length > 0) result.required = required
  }
  return result
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** A type that may be null is that type with `nullable`. */
function withoutNull(schema: JsonObject, reduction: Reduction): JsonObject {
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null')
    const nullable = types.length < schema.type.length ? { nullable: true } : {}
    if (types.length === 1) return { ...schema, ...nullable, type: types[0] }
    const { type: _types, ...rest } = schema
    return { ...rest, ...nullable, anyOf: types.map((type) => ({ type })) }
  }
  if (!Array.isArray(schema.anyOf)) return schema
  const options = schema.anyOf.filter((option) => !(isObject(option) && option.type === 'null'))
  if (options.length === schema.anyOf.length) return schema
  const only = options.length === 1 ? options[0] : undefined
  const { anyOf: _options, ...rest } = schema
  if (isObject(only)) {
    const inner = typeof only.$ref === 'string' ? followReference(only, only.$ref, reduction) : only
    return { ...rest, ...inner, nullable: true }
  }
  return { ...rest, anyOf: options, nullable: true }
}

function reduceKey(key: string, value: unknown, schema: JsonObject, reduction: Reduction): unknown {
  if (!KEPT.has(key)) return undefined
  switch (key) {
    case 'properties':
      return isObject(value) ? reduceAll(value, reduction) : undefined
    case 'items':
      return isObject(value) ? reduce(value, reduction) : undefined
    case 'anyOf':
      return asList(value)
        .filter(isObject)
        .map((option) => reduce(option, reduction))
    case 'format':
      return schema.type !== 'string' || KEPT_FORMATS.has(String(value)) ? value : undefined
    case 'enum':
      // Enumerations of this API are texts.
      return schema.type === 'string' || schema.type === undefined
        ? asList(value).map(textOf)
        : undefined
    case 'required':
      return isObject(schema.properties) ? value : undefined
    default:
      return value
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function reduceAll(properties: JsonObject, reduction: Reduction): JsonObject {
  const result: JsonObject = {}
  for (const [name, schema] of Object.entries(properties)) {
    if (isObject(schema)) result[name] = reduce(schema, reduction)
  }
  return result
}

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
