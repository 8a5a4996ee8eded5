// From JSON Schema to the subset that Claude's structured output and strict tools take; anything else is a 400 upstream.
// Source: docs.claude.com, structured outputs, JSON Schema limitations, and what Anthropic's own SDKs rewrite before they send.
import { isObject, type JsonObject } from '../../contract/json.ts'

/** What stands in a schema as it is: data or words, no schema. */
const KEPT = ['$schema', 'title', 'description', 'default', 'type', 'enum', 'const', 'required']
/** Maps of schemas by name. */
const MAPS = ['properties', '$defs', 'definitions']
const FORMATS = new Set<unknown>(
  'date-time time date duration email hostname uri ipv4 ipv6 uuid'.split(' '),
)

/** The schema with every object closed, and with limits that Claude cannot hold told in its descriptions.
 *  Undefined if its shape cannot be expressed: objects with keys of any name, schemas within themselves, other documents. */
export function fitSchema(schema: JsonObject): JsonObject | undefined {
  if (refersBeyond(schema)) return undefined
  try {
    return fitObject(schema)
  } catch (error) {
    if (error instanceof Inexpressible) return undefined
    throw error
  }
}

class Inexpressible extends Error {}

function fitValue(schema: unknown): unknown {
  return isObject(schema) ? fitObject(schema) : schema
}

function fitObject(given: JsonObject): JsonObject {
  const schema = withoutSingleAllOf(given)
  const result: JsonObject = {}
  const limits: string[] = []
  for (const [key, value] of Object.entries(schema)) {
    if (KEPT.includes(key)) result[key] = value
    else if (key === '$ref') result.$ref = value
    else if (MAPS.includes(key)) result[key] = mapOf(value)
    else if (key === 'items') result.items = itemsOf(value)
    else if (key === 'anyOf' || key === 'allOf') result[key] = listOf(value)
    else if (key === 'oneOf') result.anyOf = listOf(value)
    else if (isWithin(key, value)) result[key] = value
    else if (key !== 'additionalProperties') limits.push(`${key}: ${JSON.stringify(value)}`)
  }
  if (schema.type === 'object' || isObject(schema.properties)) {
    result.additionalProperties = closed(schema)
  }
  // Nothing may stand beside a reference but the definitions that it leads to.
  if (typeof result.$ref === 'string') return besideReference(result)
  return limits.length === 0 ? result : { ...result, description: words(result, limits) }
}

/** Older schema generators wrap a reference so that a description can stand beside it. */
function withoutSingleAllOf(schema: JsonObject): JsonObject {
  const { allOf, ...beside } = schema
  const parts = Array.isArray(allOf) ? (allOf as unknown[]) : []
  if (parts.length === 1 && isObject(parts[0])) return { ...parts[0], ...beside }
  if (parts.some((part) => isObject(part) && part.$ref !== undefined)) throw new Inexpressible()
  return schema
}

function mapOf(schemas: unknown): unknown {
  if (!isObject(schemas)) return schemas
  return Object.fromEntries(Object.entries(schemas).map(([name, value]) => [name, fitValue(value)]))
}

function listOf(schemas: unknown): unknown {
  return Array.isArray(schemas) ? schemas.map(fitValue) : schemas
}

function itemsOf(items: unknown): unknown {
  if (Array.isArray(items)) throw new Inexpressible()
  return fitValue(items)
}

function isWithin(key: string, value: unknown): boolean {
  if (key === 'minItems') return value === 0 || value === 1
  return key === 'format' && FORMATS.has(value)
}

/** A map with keys of any name would always be empty if it were closed. */
function closed({ additionalProperties: further, properties }: JsonObject): false {
  if (isObject(further)) throw new Inexpressible()
  if (further === true && Object.keys(properties ?? {}).length === 0) {
    throw new Inexpressible()
  }
  return false
}

function besideReference({ $ref, $defs, definitions }: JsonObject): JsonObject {
  return {
    $ref,
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  }
}

function words({ description }: JsonObject, limits: readonly string[]): string {
  const told = `(${limits.join(', ')})`
  return typeof description === 'string' && description !== '' ? `${description} ${told}` : told
}

/** Whether a reference leads into the schema that holds it, or out of the document. */
function refersBeyond(root: JsonObject): boolean {
  const open = new Set<string>()
  const done = new Set<string>()
  const visit = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(visit)
    if (!isObject(value)) return false
    const reference = value.$ref
    if (typeof reference === 'string' && follow(reference)) return true
    return Object.values(value).some(visit)
  }
  const follow = (reference: string): boolean => {
    if (done.has(reference)) return false
    const target = resolve(root, reference)
    if (target === undefined || open.has(reference)) return true
    open.add(reference)
    const isBeyond = visit(target)
    open.delete(reference)
    done.add(reference)
    return isBeyond
  }
  return visit(root)
}

/** The definition that a reference names. A reference to any other place is not followed. */
function resolve(root: JsonObject, reference: string): unknown {
  const [hash, place, name, ...more] = reference.split('/')
  if (hash !== '#' || (place !== '$defs' && place !== 'definitions')) return undefined
  if (name === undefined || more.length > 0) return undefined
  const definitions = root[place]
  const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
  return isObject(definitions) && Object.hasOwn(definitions, key) ? definitions[key] : undefined
}
