import type { ChatRequest, ResponseFormat } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'

/** Whether every object of the schema requires all of its properties and allows no others, as OpenAI's strict mode demands. */
export function closesAllObjects(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(closesAllObjects)
  if (!isObject(schema)) return true
  if (isObjectSchema(schema) && !isClosed(schema)) return false
  return Object.values(schema).every(closesAllObjects)
}

function isObjectSchema(schema: JsonObject): boolean {
  return schema.type === 'object' || isObject(schema.properties)
}

function isClosed(schema: JsonObject): boolean {
  if (schema.additionalProperties !== false) return false
  const names = isObject(schema.properties) ? Object.keys(schema.properties) : []
  const required = Array.isArray(schema.required) ? schema.required : []
  return names.every((name) => required.includes(name))
}

/** The schema of an answer, with what the client says that the answer is for: other dialects than OpenAI's have no field for it. */
export function describedSchema({
  schema,
  description,
}: Extract<ResponseFormat, { type: 'schema' }>): JsonObject {
  return description === undefined || schema.description !== undefined
    ? schema
    : { ...schema, description }
}

/** OpenAI and DeepSeek refuse `json_object` for a conversation that never mentions JSON. */
export function saysJson({ system, turns }: Pick<ChatRequest, 'system' | 'turns'>): boolean {
  const parts = [...system, ...turns.flatMap((turn) => turn.parts)]
  return parts.some((part) => part.kind === 'text' && /json/i.test(part.text))
}

/** Asks for JSON in words, for targets that have no field for it. */
export function jsonInstruction(schema?: JsonObject): string {
  const base = 'Answer with one JSON object only, without any text or code fence around it.'
  return schema === undefined
    ? base
    : `${base} It must match this JSON Schema: ${JSON.stringify(schema)}`
}
