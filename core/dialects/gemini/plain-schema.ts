// Resolves a JSON Schema: follows references, and merges `allOf` into one schema.
import { isObject, type JsonObject } from '../../contract/json.ts'

/** The most schemas of one walk. A short schema may unfold into very many by references. */
const MOST_NODES = 10_000
/** The most names and characters that the walk copies, since a schema's own text is copied for each schema that it is merged with. */
const MOST_COPIES = 1_000_000
/** The longest chain of references. */
const LONGEST_PATH = 500

/** The schema refers to itself, or unfolds into more than the bounds allow. */
export class EndlessSchema extends Error {
  readonly isTooLarge: boolean

  constructor(isTooLarge: boolean) {
    super('endless schema')
    this.isTooLarge = isTooLarge
  }
}

export interface SchemaWalk {
  root: JsonObject
  /** The references that are being followed. */
  path: readonly string[]
  /** Shared by the whole walk. */
  seen: { nodes: number; copies: number }
}

export function schemaWalk(root: JsonObject): SchemaWalk {
  return { root, path: [], seen: { nodes: 0, copies: 0 } }
}

/** @throws EndlessSchema */
export function countNode({ seen }: SchemaWalk): void {
  seen.nodes += 1
  if (seen.nodes > MOST_NODES) throw new EndlessSchema(true)
}

function countCopies({ seen }: SchemaWalk, count: number): void {
  seen.copies += count
  if (seen.copies > MOST_COPIES) throw new EndlessSchema(true)
}

/** @throws EndlessSchema */
export function plainSchema(
  given: JsonObject,
  walk: SchemaWalk,
): { schema: JsonObject; walk: SchemaWalk } {
  countNode(walk)
  if (typeof given.$ref === 'string') {
    if (walk.path.includes(given.$ref)) throw new EndlessSchema(false)
    if (walk.path.length >= LONGEST_PATH) throw new EndlessSchema(true)
    countCopies(walk, given.$ref.length)
    const { $ref: reference, ...beside } = given
    const inner = { ...walk, path: [...walk.path, reference] }
    return plainSchema({ ...resolve(walk.root, reference), ...beside }, inner)
  }
  return Array.isArray(given.allOf) ? mergeParts(given, walk) : { schema: given, walk }
}

/** `#/$defs/Name`, by JSON pointer; `#` is the schema itself. A reference to another document allows any value. */
function resolve(root: JsonObject, reference: string): JsonObject {
  if (reference === '#') return root
  let target: unknown = root
  for (const step of reference.replace(/^#\//, '').split('/')) {
    const key = unescaped(step)
    target =
      isObject(target) && Object.hasOwn(target, key)
        ? target[key]
        : Array.isArray(target)
          ? (target as unknown[])[Number(key)]
          : undefined
  }
  return isObject(target) ? target : {}
}

function unescaped(step: string): string {
  const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

function mergeParts(given: JsonObject, walk: SchemaWalk): { schema: JsonObject; walk: SchemaWalk } {
  const { allOf, ...own } = given
  let schema: JsonObject = {}
  let { path } = walk
  for (const part of (allOf as unknown[]).filter(isObject)) {
    const plain = plainSchema(part, walk)
    schema = mergeSchemas(schema, plain.schema, walk)
    path = [...path, ...plain.walk.path.slice(walk.path.length)]
  }
  return { schema: mergeSchemas(schema, own, walk), walk: { ...walk, path } }
}

/** Both schemas at once: the properties and requirements of both, and of anything else the second's value. @throws EndlessSchema */
export function mergeSchemas(first: JsonObject, second: JsonObject, walk: SchemaWalk): JsonObject {
  countCopies(walk, sizeOf(first) + sizeOf(second))
  const merged: JsonObject = { ...first, ...second }
  if (isObject(first.properties) && isObject(second.properties)) {
    merged.properties = { ...first.properties, ...second.properties }
  }
  if (Array.isArray(first.required) && Array.isArray(second.required)) {
    merged.required = [...(first.required as unknown[]), ...(second.required as unknown[])]
  }
  return merged
}

function sizeOf(schema: JsonObject): number {
  const { properties, required } = schema
  const names = isObject(properties) ? Object.keys(properties).length : 0
  return Object.keys(schema).length + names + (Array.isArray(required) ? required.length : 0)
}
