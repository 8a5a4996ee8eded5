// From JSON Schema to the subset of OpenAPI that Gemini's `parameters` and `responseSchema` take.
// Sources: ai.google.dev/api/caching#Schema, and the words in which the API refuses: a type everywhere but beside anyOf, nothing beside
// anyOf (Vertex), `items` in each array, `required` of known properties only, `enum` of texts only.
import { isObject, objectOf, type JsonObject } from '../../contract/json.ts'
import { compact } from '../neutral/fields.ts'
import {
  countNode,
  EndlessSchema,
  mergeSchemas,
  plainSchema,
  schemaWalk,
  type SchemaWalk,
} from './plain-schema.ts'

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const
type Type = (typeof TYPES)[number]

const FORMATS: Partial<Record<Type, ReadonlySet<unknown>>> = {
  string: new Set(['enum', 'date-time']),
  number: new Set(['float', 'double']),
  integer: new Set(['int32', 'int64']),
}

/** Keywords that make a branch an alternative of its own, and not only a further condition on the schema around it. */
const SHAPES = ['type', 'properties', 'items', 'enum', 'const', '$ref', 'anyOf', 'oneOf', 'allOf']

/** The reduced schema; undefined if the subset cannot express it (see `whyNotReduced`). */
export function toGeminiSchema(schema: JsonObject): JsonObject | undefined {
  const reduced = reducedOrEnd(schema)
  return reduced instanceof EndlessSchema ? undefined : reduced
}

/** Why a schema was not reduced, as words that follow "a schema that". */
export function whyNotReduced(schema: JsonObject): string {
  const reduced = reducedOrEnd(schema)
  const isTooLarge = reduced instanceof EndlessSchema && reduced.isTooLarge
  return isTooLarge ? 'unfolds to so many parts' : 'refers to itself'
}

function reducedOrEnd(schema: JsonObject): JsonObject | EndlessSchema {
  try {
    return reduce(schema, schemaWalk(schema))
  } catch (error) {
    if (error instanceof EndlessSchema) return error
    throw error
  }
}

/** The same for the arguments of a function, which must be an object: alternatives are merged into one object that
 *  requires what all of them require. */
export function toGeminiParameters(schema: JsonObject): JsonObject | undefined {
  const reduced = toGeminiSchema(schema)
  if (!Array.isArray(reduced?.anyOf)) return reduced
  const options = (reduced.anyOf as JsonObject[]).filter((option) => option.type === 'object')
  const [first, ...others] = options
  if (first === undefined) return { type: 'object' }
  const properties: JsonObject = {}
  for (const option of options) {
    for (const [name, property] of Object.entries(objectOf(option.properties))) {
      if (!Object.hasOwn(properties, name)) properties[name] = property
    }
  }
  const required = namesOf(first.required).filter((name) =>
    others.every((option) => namesOf(option.required).includes(name)),
  )
  return compact({
    type: 'object',
    description: first.description,
    properties: Object.keys(properties).length === 0 ? undefined : properties,
    required: required.length === 0 ? undefined : required,
  })
}

function reduce(given: unknown, outer: SchemaWalk): JsonObject {
  if (!isObject(given)) {
    countNode(outer)
    return anyValue({})
  }
  const { schema, walk } = plainSchema(given, outer)
  const union = unionOf(schema, walk)
  return union === undefined ? reduceTyped(schema, walk) : reduceUnion(schema, union, walk)
}

/** The alternatives of a schema, each merged with the keywords beside them; undefined if it has none. */
function unionOf(schema: JsonObject, walk: SchemaWalk): JsonObject[] | undefined {
  const { anyOf, oneOf, ...base } = schema
  const list = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined
  const options = (list as unknown[] | undefined)?.filter(isObject) ?? []
  if (options.some((option) => SHAPES.some((key) => option[key] !== undefined))) {
    return options.map((option) => mergeSchemas(base, option, walk))
  }
  if (!Array.isArray(schema.type)) return undefined
  return (schema.type as unknown[]).map((type) => mergeSchemas(base, { type }, walk))
}

function reduceUnion(schema: JsonObject, union: JsonObject[], walk: SchemaWalk): JsonObject {
  const options = union.filter((option) => !isNull(option))
  const nullable = options.length < union.length || schema.nullable === true
  const reduced = new Map<string, JsonObject>()
  for (const option of options) {
    const one = reduce(option, walk)
    const flat = Array.isArray(one.anyOf) ? (one.anyOf as JsonObject[]) : [one]
    for (const entry of flat) {
      const shown = nullable ? { ...entry, nullable: true } : entry
      reduced.set(JSON.stringify(shown), shown)
    }
  }
  const list = [...reduced.values()]
  const [first] = list
  if (first === undefined) return { type: 'string', nullable: true }
  return list.length === 1 ? first : { anyOf: list }
}

function isNull({ type, const: only, enum: values }: JsonObject): boolean {
  return (
    type === 'null' || only === null || (Array.isArray(values) && values.every((v) => v === null))
  )
}

/** Nothing may stand beside alternatives, so the first of them gets the description. */
function anyValue({ description, nullable }: JsonObject): JsonObject {
  const options: JsonObject[] = [
    { type: 'string', ...(typeof description === 'string' ? { description } : {}) },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'object' },
    { type: 'array', items: { type: 'string' } },
  ]
  return { anyOf: nullable === true ? options.map((one) => ({ ...one, nullable })) : options }
}

function reduceTyped(schema: JsonObject, walk: SchemaWalk): JsonObject {
  const values = valuesOf(schema)
  const type = typeOf(schema, values ?? [])
  if (type === 'null') return compact({ ...shared(schema), type: 'string', nullable: true })
  if (type === undefined) return anyValue(schema)
  return compact({
    type,
    ...shared(schema),
    nullable: schema.nullable === true || values?.includes(null) ? true : undefined,
    ...detailsOf(type, schema, walk),
    ...choicesOf(type, schema, values),
  })
}

function shared({ description }: JsonObject): { description?: string } {
  return typeof description === 'string' ? { description } : {}
}

function detailsOf(type: Type, schema: JsonObject, walk: SchemaWalk): JsonObject {
  const format = FORMATS[type]?.has(schema.format) ? schema.format : undefined
  switch (type) {
    case 'array':
      return {
        items: itemsOf(schema, walk),
        minItems: countOf(schema.minItems),
        maxItems: countOf(schema.maxItems),
      }
    case 'object':
      return propertiesOf(schema, walk)
    case 'number':
    case 'integer':
      return { format, minimum: numberOf(schema.minimum), maximum: numberOf(schema.maximum) }
    default:
      return { format }
  }
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function valuesOf(schema: JsonObject): unknown[] | undefined {
  if (schema.const !== undefined) return [schema.const]
  return Array.isArray(schema.enum) ? (schema.enum as unknown[]) : undefined
}

function typeOf(schema: JsonObject, values: readonly unknown[]): Type | 'null' | undefined {
  const named = typeof schema.type === 'string' ? schema.type.toLowerCase() : undefined
  if (named === 'null') return 'null'
  const known = TYPES.find((type) => type === named)
  if (known !== undefined) return known
  const present = values.filter((value) => value !== null)
  if (present.length > 0) return typeOfAll(present)
  if (isObject(schema.properties) || isObject(schema.patternProperties)) return 'object'
  if (schema.additionalProperties !== undefined || schema.required !== undefined) return 'object'
  if (schema.items !== undefined || schema.prefixItems !== undefined) return 'array'
  return undefined
}

function typeOfAll(values: readonly unknown[]): Type | undefined {
  if (values.every((value) => typeof value === 'number')) {
    return values.every(Number.isInteger) ? 'integer' : 'number'
  }
  if (values.every((value) => typeof value === 'boolean')) return 'boolean'
  return values.some((value) => typeof value === 'object') ? undefined : 'string'
}

/** Enumerations of this API are non-empty texts; other values are listed in the description. */
function choicesOf(type: Type, schema: JsonObject, values: unknown[] | undefined): JsonObject {
  const present = values?.filter((value) => value !== null && value !== '') ?? []
  if (present.length === 0 || type === 'array' || type === 'object') return {}
  const texts = present.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  // A type that is not the subset's is no enumeration either.
  if (type === 'string') return { enum: [...new Set(texts)] }
  const { description } = shared(schema)
  const words = `One of: ${texts.join(', ')}.`
  return { description: description === undefined ? words : `${description} ${words}` }
}

/** One schema for all items; of a tuple the common one, else the first. */
function itemsOf({ items, prefixItems }: JsonObject, walk: SchemaWalk): JsonObject {
  const tuple = Array.isArray(prefixItems) ? prefixItems : items
  const only = Array.isArray(tuple) ? (tuple as unknown[])[0] : items
  const isAnything = only === undefined || only === true || only === false
  if (isAnything || (isObject(only) && Object.keys(only).length === 0)) return { type: 'string' }
  return reduce(only, walk)
}

function propertiesOf(schema: JsonObject, walk: SchemaWalk): JsonObject {
  const properties: JsonObject = {}
  for (const [name, property] of Object.entries(objectOf(schema.properties))) {
    // `false` forbids the property.
    if (property !== false) properties[name] = reduce(property, walk)
  }
  const isKnown = (name: string) => Object.hasOwn(properties, name)
  const required = [...new Set(namesOf(schema.required).filter(isKnown))]
  const ordering = namesOf(schema.propertyOrdering).filter(isKnown)
  // An object without properties is written without the field, which may not be empty.
  return {
    properties: Object.keys(properties).length === 0 ? undefined : properties,
    required: required.length === 0 ? undefined : required,
    propertyOrdering: ordering.length === 0 ? undefined : ordering,
  }
}

function namesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []
}
