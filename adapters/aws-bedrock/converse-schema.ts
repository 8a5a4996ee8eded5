// The parameters of a tool. Source: docs.aws.amazon.com/nova/latest/userguide/tool-use-definition.html.
import { isObject, type JsonObject } from '#core'

/** Nova's tools know three fields at the top: what they refer to is put in its place. */
export function novaSchema(schema: JsonObject): JsonObject {
  const { properties, required } = new References(schema).inlined(schema)
  return {
    type: 'object',
    properties: isObject(properties) ? properties : {},
    ...(Array.isArray(required) && required.length > 0 ? { required } : {}),
  }
}

/** Definitions that name each other twice grow with each step, so their sum is bounded; what is past it stays open. */
const MOST_VALUES = 20_000
const DEEPEST = 64

class References {
  readonly #root: JsonObject
  /** Being followed: a schema that refers to itself stays open there. */
  readonly #open = new Set<string>()
  #values = 0

  constructor(root: JsonObject) {
    this.#root = root
  }

  inlined(schema: JsonObject): JsonObject {
    const { $ref: reference, ...beside } = schema
    if (typeof reference !== 'string') return this.#members(schema)
    const isEnough = this.#values > MOST_VALUES || this.#open.size >= DEEPEST
    if (isEnough || this.#open.has(reference)) return this.#members(beside)
    this.#open.add(reference)
    const result = this.inlined({ ...this.#target(reference), ...beside })
    this.#open.delete(reference)
    return result
  }

  #members(schema: JsonObject): JsonObject {
    const result: JsonObject = {}
    for (const [key, value] of Object.entries(schema)) {
      if (key !== '$defs' && key !== 'definitions') result[key] = this.#value(value)
    }
    return result
  }

  #value(value: unknown): unknown {
    this.#values += 1
    if (Array.isArray(value)) return value.map((item: unknown) => this.#value(item))
    return isObject(value) ? this.inlined(value) : value
  }

  /** `#/$defs/Name`, by JSON pointer. */
  #target(reference: string): JsonObject {
    let target: unknown = this.#root
    for (const step of reference.replace(/^#\/?/, '').split('/')) {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
      if (key !== '') target = isObject(target) && Object.hasOwn(target, key) ? target[key] : {}
    }
    return isObject(target) ? target : {}
  }
}
