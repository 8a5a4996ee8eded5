// JSON Schema without its indirections: references followed, `allOf` made one schema.
import { isObject, type JsonObject } from '../../contract/json.ts'

/** Schemas of one walk. References can say much with little, so what they unfold to is bounded. */
const MOST_NODES = 10_000
/** Names and characters that the walk copies: what one schema says of itself is said again for each that it is merged with. */
const MOST_COPIES = 1_000_000
/** References that lead to references. */
const LONGEST_PATH = 500

/** The schema refers to itself, or unfolds to more than anybody reads. */
export class EndlessSchema extends Error {
  readonly isTooLarge: boolean

  constructor(isTooLarge: boolean) {
    super('endless schema')
    this.isTooLarge = isTooLarge
  }
}

export interface SchemaWalk {
  root: JsonObject
  /** References being followed. */
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

/** `#/$defs/Name`, by JSON pointer; `#` is the schema itself. What lies elsewhere may be anything. */
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

/** Both at once: properties and demands of both, and of anything else the second's word. @throws EndlessSchema */
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
