import type { JsonObject } from '#core'

/** What a relay route accepts and answers, as far as the gateway reads it. Other fields are passed to the provider. */
export interface RelayCall {
  summary: string
  description?: string
  /** JSON Schema of the body, with an example. */
  body?: JsonObject
  /** Fields of a form instead of JSON. */
  isForm?: boolean
  /** JSON Schema of the answer. Left out where the provider defines it, or where it is binary. */
  answer?: JsonObject
}

export const text = (description?: string): JsonObject => described({ type: 'string' }, description)
export const whole = (description?: string): JsonObject =>
  described({ type: 'integer' }, description)
export const number = (description?: string): JsonObject =>
  described({ type: 'number' }, description)
export const flag = (description?: string): JsonObject =>
  described({ type: 'boolean' }, description)
export const any = (description?: string): JsonObject => described({}, description)
export const list = (items: JsonObject, description?: string): JsonObject =>
  described({ type: 'array', items }, description)
export const oneOf = (...shapes: JsonObject[]): JsonObject => ({ oneOf: shapes })

/** @param required the names of the required fields */
export function object(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties, ...(required.length > 0 ? { required: [...required] } : {}) }
}

export function withExample(schema: JsonObject, example: JsonObject): JsonObject {
  return { ...schema, examples: [example] }
}

function described(schema: JsonObject, description: string | undefined): JsonObject {
  return description === undefined ? schema : { ...schema, description }
}

export const model = text('A name of the list of `GET /v1/models`.')
export const models = list(
  { type: 'string' },
  'Names to try in order when `model` has no channel, or fails in a way that another may cure.',
)
