import { type JsonObject, objectIn } from '../contract/json.ts'
import {
  channelFieldNotJson,
  channelFieldNotNumber,
  channelFieldNotText,
  channelFieldTooLong,
  channelMappingInvalid,
  channelHeaderInvalid,
  channelModelsMissing,
  channelModelTooLong,
  channelOverrideInvalid,
  channelProxyInvalid,
  channelSettingInvalid,
  channelStatusCodesInvalid,
  channelTooManyRoutes,
  channelUrlInvalid,
} from './channel-errors.ts'
import { readParamOverride } from './param-override.ts'
import { readHeaderLines } from './request-headers.ts'
import { faultySetting } from './common-settings.ts'
import { channelFields, type ChannelFields } from '../data/models/channel.ts'
import { isProxyAddress } from '../net/proxy-tunnel.ts'
import { splitList } from '../contract/comma-list.ts'
import { requireSeen } from '../contract/seen-text.ts'

type Reader<T> = (value: unknown, field: string) => T

const maxNumber = 2_147_483_647
const maxTextLength = 1_000_000
const maxModelBytes = 255
const maxNameLength = 255
/** Models times groups of one channel: each pair is a route in memory and may be a line of the price list. */
const maxRoutes = 250_000

/** Columns with special rules; the others follow their schema. */
const ownReaders: { readonly [K in keyof ChannelFields]?: Reader<ChannelFields[K]> } = {
  name: readName,
  tag: readName,
  models: readModels,
  group: (value, field) => requireSeen(list(value, field), field),
  base_url: readUrl,
  model_mapping: readModelMapping,
  status_code_mapping: readStatusCodes,
  setting: readSetting,
  param_override: readOverride,
}

const readers: ReadonlyMap<string, Reader<string | number>> = new Map(
  Object.entries({ ...plainReaders(), ...ownReaders }),
)

function plainReaders(): Record<string, Reader<string | number>> {
  const columns = Object.entries(channelFields.properties)
  return Object.fromEntries(
    columns.map(([name, column]) => [
      name,
      column.type === 'string'
        ? text(column.maxLength)
        : wholeNumber(column.minimum, column.maximum),
    ]),
  )
}

/** The fields that `input` contains, checked and normalised. Null counts as absent; unknown fields are ignored.
 *  @param names what the caller calls fields that have another name in its body
 *  @throws channel.field_not_text and others like it, naming the field */
export function readChannelFields(
  input: JsonObject,
  names: { readonly [K in keyof ChannelFields]?: string } = {},
): Partial<ChannelFields> {
  const given = new Map(Object.entries(names))
  const fields: JsonObject = {}
  for (const [field, read] of readers) {
    const value = input[field]
    if (value !== undefined && value !== null)
      fields[field] = read(value, given.get(field) ?? field)
  }
  return fields
}

/** Each of the lists has a length that is fine, and their product none that a channel needs.
 *  @param field which of the two is to blame
 *  @throws channel.too_many_routes */
export function refuseTooManyRoutes(
  { models, group }: Pick<ChannelFields, 'models' | 'group'>,
  field: string,
): void {
  if (splitList(models).length * splitList(group).length > maxRoutes)
    throw channelTooManyRoutes({ field, max: maxRoutes }, { field })
}

/** The non-empty lines of a key field. Each is the key of a separate channel. */
export function keyLines(key: string): string[] {
  const lines = key.split('\n').map((line) => line.trim())
  return [...new Set(lines.filter((line) => line !== ''))]
}

function text(maxLength = maxTextLength): Reader<string> {
  return (value, field) => {
    if (typeof value !== 'string') throw channelFieldNotText({ field }, { field })
    const trimmed = value.trim()
    if (trimmed.length > maxLength) throw channelFieldTooLong({ field, max: maxLength }, { field })
    return trimmed
  }
}

/** Also accepts text, because number inputs of older consoles send it. */
function wholeNumber(min = 0, max = maxNumber): Reader<number> {
  const refusal = (field: string) => channelFieldNotNumber({ field, min, max }, { field })
  return (value, field) => {
    const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
    if (typeof number !== 'number' || !Number.isInteger(number)) throw refusal(field)
    if (number < min || number > max) throw refusal(field)
    return number
  }
}

function readName(value: unknown, field: string): string {
  return requireSeen(text(maxNameLength)(value, field), field)
}

function list(value: unknown, field: string): string {
  return splitList(text()(value, field)).join(',')
}

function readModels(value: unknown, field: string): string {
  const given = text()(value, field)
  const models = splitList(given)
  if (given !== '' && models.length === 0) throw channelModelsMissing({}, { field })
  const tooLong = models.find((model) => Buffer.byteLength(model) > maxModelBytes)
  if (tooLong !== undefined) {
    throw channelModelTooLong({ model: tooLong.slice(0, 40) }, { field })
  }
  return models.join(',')
}

function readUrl(value: unknown, field: string): string {
  const url = text(2000)(value, field).replace(/(?<!\/)\/+$/, '')
  if (url !== '' && !hasScheme(url, ['http:', 'https:'])) throw channelUrlInvalid({}, { field })
  return url
}

function readModelMapping(value: unknown, field: string): string {
  const { json, parsed } = readJson(value, field)
  const isMapping = Object.values(parsed).every((model) => typeof model === 'string')
  if (!isMapping) throw channelMappingInvalid({}, { field })
  return json
}

function readStatusCodes(value: unknown, field: string): string {
  const { json, parsed } = readJson(value, field)
  const isMapping = Object.entries(parsed)
    .flat()
    .every((code) => isStatus(code))
  if (!isMapping) throw channelStatusCodesInvalid({}, { field })
  return json
}

/** A status code, as a number or as text. */
function isStatus(code: unknown): boolean {
  const isScalar = typeof code === 'string' || typeof code === 'number'
  return isScalar && /^[1-5]\d\d$/.test(String(code))
}

function readOverride(value: unknown, field: string): string {
  const { json, parsed } = readJson(value, field)
  const { faulty } = readParamOverride(parsed)
  if (faulty !== undefined) throw channelOverrideInvalid({ position: faulty }, { field })
  return json
}

function readSetting(value: unknown, field: string): string {
  const { json, parsed } = readJson(value, field)
  const proxy = parsed['proxy'] ?? ''
  const isProxy = proxy === '' || (typeof proxy === 'string' && isProxyAddress(proxy))
  if (!isProxy) throw channelProxyInvalid({}, { field: `${field}.proxy` })
  const faulty = faultySetting(parsed)
  if (faulty !== undefined)
    throw channelSettingInvalid({ key: faulty }, { field: `${field}.${faulty}` })
  const { headers } = parsed
  const { faultyLine } = readHeaderLines(typeof headers === 'string' ? headers : '')
  if (faultyLine !== undefined)
    throw channelHeaderInvalid({ line: faultyLine }, { field: `${field}.headers` })
  return json
}

/** Parses a JSON object; empty text stands for an empty one. */
function readJson(value: unknown, field: string): { json: string; parsed: JsonObject } {
  const json = text()(value, field)
  const parsed = json === '' ? {} : objectIn(json)
  if (!parsed) throw channelFieldNotJson({ field }, { field })
  return { json, parsed }
}

function hasScheme(url: string, schemes: readonly string[]): boolean {
  return URL.canParse(url) && schemes.includes(new URL(url).protocol)
}
