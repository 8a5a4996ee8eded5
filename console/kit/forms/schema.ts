// The part of JSON Schema that options and channel settings use, as TypeBox writes it.
import type { OptionUi } from '#core'
import { compactJson, findJsonFault, formatJson } from './json-fault.ts'

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
  'x-ui'?: OptionUi
}

export type FieldKind =
  | 'text'
  | 'textarea'
  | 'code'
  | 'lines'
  | 'tags'
  | 'rich-text'
  | 'secret'
  | 'number'
  | 'quota'
  | 'switch'
  | 'auto-switch'
  | 'choice'
  | 'list'
  | 'map'
  | 'json'

/** The control of a field. */
export function kindOf(schema: FieldSchema): FieldKind {
  if (schema['x-ui']?.secret) return 'secret'
  if (choicesOf(schema)) return 'choice'
  const widget = schema['x-ui']?.widget
  if (schema.type === 'boolean') return widget === 'auto-switch' ? widget : 'switch'
  if (schema.type === 'number' || schema.type === 'integer')
    return widget === 'quota' ? 'quota' : 'number'
  if (schema.type === 'array') return listKindOf(schema.items)
  if (schema.type === 'object') return schema.properties ? 'json' : 'map'
  if (schema.type === 'string') return textKindOf(schema['x-ui'])
  return 'json'
}

/** A list of maps of one entry each is edited as a map. */
function listKindOf(items: FieldSchema | undefined): FieldKind {
  if (items?.type === 'string') return 'list'
  return items?.type === 'object' && !items.properties ? 'map' : 'json'
}

function textKindOf(ui: OptionUi = {}): FieldKind {
  const { widget = 'text' } = ui
  return widget === 'quota' || widget === 'auto-switch' ? 'text' : widget
}

/** Whether the field is shown while the form has these values. `true` also stands for any text. */
export function isShown(schema: FieldSchema, values: Readonly<Record<string, unknown>>): boolean {
  const { hidden, showIf = {} } = schema['x-ui'] ?? {}
  const fits = (value: unknown, wanted: unknown) =>
    value === wanted || (wanted === true && typeof value === 'string' && value.trim() !== '')
  return !hidden && Object.entries(showIf).every(([key, wanted]) => fits(values[key], wanted))
}

export function choicesOf(schema: FieldSchema): string[] | undefined {
  if (schema.enum) return schema.enum.map(String)
  const constants = schema.anyOf?.map((entry) => entry.const)
  return constants?.every((value) => value !== undefined) ? constants.map(String) : undefined
}

type FaultKey =
  | 'required'
  | 'json'
  | 'above'
  | 'minimum'
  | 'maximum'
  | 'tooLong'
  | 'tooShort'
  | 'pattern'
  | 'choice'
  | 'number'

export interface SchemaFault {
  key: FaultKey
  limit?: number
}

/** The fault of a value, as far as it shows in one field. The server validates everything again. */
export function faultOf(schema: FieldSchema, value: unknown): SchemaFault | undefined {
  if (value === undefined || value === '') return undefined
  if (Number.isNaN(value)) return { key: 'number' }
  if (typeof value === 'number') {
    const { exclusiveMinimum } = schema
    if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
      return { key: 'above', limit: exclusiveMinimum }
    if (schema.minimum !== undefined && value < schema.minimum)
      return { key: 'minimum', limit: schema.minimum }
    if (schema.maximum !== undefined && value > schema.maximum)
      return { key: 'maximum', limit: schema.maximum }
  }
  if (typeof value === 'string') {
    if (isJson(schema)) return findJsonFault(value) ? { key: 'json' } : undefined
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

/** The server has no blank number; texts and maps may be empty. */
export function needsValue(schema: FieldSchema): boolean {
  const kind = kindOf(schema)
  return kind === 'number' || kind === 'quota' || kind === 'choice'
}

/** Whether the value is edited as JSON text. */
function isJson(schema: FieldSchema): boolean {
  const kind = kindOf(schema)
  return kind === 'map' || kind === 'json'
}

/** Parses a wire string as a value of the schema. Text that does not fit stays text, so that nothing is lost. */
export function fromWire(schema: FieldSchema, text: string): unknown {
  const kind = kindOf(schema)
  if (kind === 'switch') return text === 'true'
  if (kind === 'number' || kind === 'quota')
    return text === '' || Number.isNaN(Number(text)) ? undefined : Number(text)
  if (kind === 'list') return parsedOr(text, text)
  return isJson(schema) ? formatJson(text) : text
}

/** The wire string of a value. */
export function toWire(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The wire string of an option, for which blank JSON is an empty map or list. */
export function optionWire(schema: FieldSchema, value: unknown): string {
  const text = toWire(value)
  if (text.trim() !== '' || !isJson(schema)) return text
  return schema.type === 'array' ? '[]' : '{}'
}

/** Whether two values of a field are equal. White space in JSON does not matter. */
export function isSame(schema: FieldSchema, left: unknown, right: unknown): boolean {
  const [a, b] = [optionWire(schema, left), optionWire(schema, right)]
  return a === b || (isJson(schema) && compactJson(a) === compactJson(b))
}

function parsedOr(text: string, fallback: unknown): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return fallback
  }
}
