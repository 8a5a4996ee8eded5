// The part of JSON Schema that TypeBox writes for options and channel settings.

export interface FieldSchema {
  type?: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array'
  title?: string
  description?: string
  default?: unknown
  enum?: unknown[]
  const?: unknown
  anyOf?: FieldSchema[]
  properties?: Record<string, FieldSchema>
  patternProperties?: Record<string, FieldSchema>
  additionalProperties?: boolean | FieldSchema
  items?: FieldSchema
  required?: string[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  'x-ui'?: FieldUi
}

interface FieldUi {
  secret?: boolean
  /** Of a secret: the options that name where it is sent. */
  boundTo?: readonly string[]
  tab?: string
  section?: string
  multiline?: boolean
  url?: boolean
  hidden?: boolean
}

export type FieldKind =
  | 'text'
  | 'multiline'
  | 'secret'
  | 'number'
  | 'switch'
  | 'choice'
  | 'list'
  | 'map'
  | 'json'

/** Which control a field gets. */
export function kindOf(schema: FieldSchema): FieldKind {
  if (schema['x-ui']?.secret) return 'secret'
  if (choicesOf(schema)) return 'choice'
  if (schema.type === 'boolean') return 'switch'
  if (schema.type === 'number' || schema.type === 'integer') return 'number'
  if (schema.type === 'array') return schema.items?.type === 'string' ? 'list' : 'json'
  if (schema.type === 'object') return schema.properties ? 'json' : 'map'
  if (schema.type === 'string') return schema['x-ui']?.multiline ? 'multiline' : 'text'
  return 'json'
}

export function choicesOf(schema: FieldSchema): string[] | undefined {
  if (schema.enum) return schema.enum.map(String)
  const constants = schema.anyOf?.map((entry) => entry.const)
  return constants?.every((value) => value !== undefined) ? constants.map(String) : undefined
}

type FaultKey = 'required' | 'minimum' | 'maximum' | 'tooLong' | 'tooShort' | 'pattern' | 'choice'

export interface SchemaFault {
  key: FaultKey
  limit?: number
}

/** What is wrong with a value, as far as one field can tell; the server checks everything again. */
export function faultOf(schema: FieldSchema, value: unknown): SchemaFault | undefined {
  if (value === undefined || value === '') return undefined
  if (typeof value === 'number') {
    if (schema.minimum !== undefined && value < schema.minimum)
      return { key: 'minimum', limit: schema.minimum }
    if (schema.maximum !== undefined && value > schema.maximum)
      return { key: 'maximum', limit: schema.maximum }
  }
  if (typeof value === 'string') {
    const { minLength, maxLength, pattern } = schema
    if (minLength !== undefined && value.length < minLength)
      return { key: 'tooShort', limit: minLength }
    if (maxLength !== undefined && value.length > maxLength)
      return { key: 'tooLong', limit: maxLength }
    if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return { key: 'pattern' }
    const choices = choicesOf(schema)
    if (choices && !choices.includes(value)) return { key: 'choice' }
  }
  return undefined
}

/** A wire string as the value that the schema means. Text that does not fit stays text, so that nothing is lost. */
export function fromWire(schema: FieldSchema, text: string): unknown {
  const kind = kindOf(schema)
  if (kind === 'switch') return text === 'true'
  if (kind === 'number') return text === '' || Number.isNaN(Number(text)) ? undefined : Number(text)
  if (kind === 'list') return parsedOr(text, text)
  return text
}

/** The wire's string of a value. */
export function toWire(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function parsedOr(text: string, fallback: unknown): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return fallback
  }
}
