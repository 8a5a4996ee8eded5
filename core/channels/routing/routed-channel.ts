import type { Adapter, ChannelView } from '../../contract/adapter.ts'
import type { HttpOptions } from '../../contract/http-client.ts'
import { ChannelFault, type Text } from '../../contract/errors.ts'
import { estimateTokens } from '../../billing/counting/estimate-tokens.ts'
import { type JsonObject, objectIn } from '../../contract/json.ts'
import { deadKeysOf, keysOf, liveKeys } from '../keys/multi-key.ts'
import { channelStatus } from '../../contract/constants.ts'
import type { ChannelRow } from '../../data/models/channel.ts'
import type { RoutingRow } from './routing-sql.ts'
import { type ParamOverride, readParamOverride } from '../param-override.ts'
import { channelHeadersOf } from '../request-headers.ts'
import { splitList } from '../../contract/comma-list.ts'

/** A channel prepared for the relay: key decrypted, JSON fields parsed. Frozen, and shared by all requests of one index. */
export interface RoutedChannel {
  readonly id: number
  readonly name: string
  readonly type: number
  readonly status: number
  readonly isEnabled: boolean
  /** Undefined if no active adapter serves the type; such a channel is never picked. */
  readonly adapter: Adapter | undefined
  readonly view: ChannelView
  /** `view` with each of the live keys; most channels have one. */
  readonly keyViews: readonly ChannelView[]
  /** All keys, including dead ones. */
  readonly keys: readonly string[]
  /** What may appear in no message: all keys, and what looks like one in the headers. */
  readonly secrets: readonly string[]
  readonly httpOptions: HttpOptions
  readonly groups: readonly string[]
  readonly priority: number
  readonly weight: number
  /** 0: no limit. */
  readonly maxInputTokens: number
  /** Estimated tokens of the instructions that the channel adds to chats. */
  readonly instructionTokens: number
  readonly mayBeDisabled: boolean
  readonly testModel: string
  readonly modelMapping: Readonly<Record<string, string>>
  /** Maps statuses of the upstream to those that the gateway uses instead. */
  readonly statusCodeMapping: Readonly<Record<string, number>>
  readonly paramOverride: ParamOverride | undefined
  /** A stored field cannot be read; an attempt on the channel must throw this fault. */
  readonly fault: ChannelFault | undefined
}

/** @param models the row's model names, if they are known from before: reusing the strings spares the garbage collector
 *  much copying when there are ten thousand channels */
export function routedChannel(
  row: RoutingRow,
  key: string,
  adapter: Adapter | undefined,
  models: readonly string[] = Object.freeze(splitList(row.models)),
): RoutedChannel {
  const fields = readJsonFields(row)
  const keys = keysOf(key, fields.setting, adapter)
  const [first = key, ...others] = liveKeys(keys, deadKeysOf(row.other_info))
  const view: ChannelView = Object.freeze({
    id: row.id,
    type: row.type,
    name: row.name,
    key: first,
    baseUrl: storedBaseUrl(row, adapter),
    other: row.other,
    organization: row.openai_organization,
    models,
    setting: Object.freeze(fields.setting),
  })
  const httpOptions = httpOptionsOf(view)
  return Object.freeze({
    id: row.id,
    name: row.name,
    type: row.type,
    status: row.status,
    isEnabled: row.status === channelStatus.enabled,
    adapter,
    view,
    keyViews: [view, ...others.map((other) => Object.freeze({ ...view, key: other }))],
    keys: Object.freeze(keys),
    secrets: secretsOf(keys, httpOptions),
    httpOptions,
    groups: splitList(row.group),
    priority: row.priority,
    weight: Math.max(0, row.weight),
    maxInputTokens: row.max_input_tokens,
    instructionTokens: instructionTokensOf(fields.setting),
    mayBeDisabled: row.auto_ban === 1,
    testModel: row.test_model,
    modelMapping: fields.modelMapping,
    statusCodeMapping: fields.statusCodeMapping,
    paramOverride: fields.paramOverride,
    fault: fields.fault,
  })
}

/** Shorter words stand in many texts by chance. */
const SHORTEST_CREDENTIAL = 8
/** They say what a client is and takes. An address in them may be that of results, too. */
const plainHeaders: ReadonlySet<string> = new Set(
  'accept accept-language origin referer user-agent'.split(' '),
)

/** One that is disabled, or that no adapter serves, is in no route. */
export function isRouted({ isEnabled, adapter }: RoutedChannel): boolean {
  return isEnabled && adapter !== undefined
}

/** The keys and the headers that may be credentials, whole, in the pieces of a cookie and as the password of `Basic`; the same list if there are none of these. */
export function secretsOf(
  keys: readonly string[],
  { channelHeaders }: HttpOptions,
): readonly string[] {
  const words = Object.entries(channelHeaders?.headers ?? {})
    .filter(([name]) => !plainHeaders.has(name))
    .flatMap(([, value]) => [...value.split(' '), ...value.split(/[ ,;="]/), ...basicWords(value)])
  const long = words.filter((word) => word.length >= SHORTEST_CREDENTIAL)
  return long.length === 0 ? keys : Object.freeze([...new Set([...keys, ...long])])
}

/** The name with the password, and the password. Source: RFC 7617. */
function basicWords(value: string): string[] {
  const [, encoded] = /^basic +([\w+/=-]+)$/i.exec(value) ?? []
  if (encoded === undefined) return []
  const pair = Buffer.from(encoded, 'base64').toString()
  return [pair, pair.slice(pair.indexOf(':') + 1)]
}

function instructionTokensOf({ system_prompt: text }: JsonObject): number {
  return typeof text === 'string' ? estimateTokens(text) : 0
}

/** The options of the HTTP client for this channel: an admin chose its address, and perhaps a proxy and headers. */
export function httpOptionsOf({
  setting,
  baseUrl,
}: Pick<ChannelView, 'setting' | 'baseUrl'>): HttpOptions {
  const proxy = proxyOf(setting)
  const channelHeaders = channelHeadersOf(setting['headers'], baseUrl)
  return {
    trust: 'admin',
    ...(proxy === '' ? {} : { proxy }),
    ...(channelHeaders ? { channelHeaders } : {}),
  }
}

/** The proxy of a channel's setting, '' if it has none. */
export function proxyOf({ proxy }: Readonly<JsonObject>): string {
  return typeof proxy === 'string' ? proxy : ''
}

/** The upstream's name of a model. A chain a -> b -> c is followed; a name mapped to itself ends it.
 *  @throws ChannelFault invalid_channel_setting if the chain is a loop */
export function upstreamModel(channel: RoutedChannel, requested: string): string {
  let model = requested
  const seen = new Set<string>()
  for (;;) {
    const next = Object.hasOwn(channel.modelMapping, model)
      ? channel.modelMapping[model]
      : undefined
    if (next === undefined || next === '' || next === model) return model
    seen.add(model)
    if (seen.has(next)) {
      throw new ChannelFault('invalid_channel_setting', {
        en: 'The model mapping of the channel is a loop.',
        zh: '渠道的模型映射形成了循环。',
      })
    }
    model = next
  }
}

/** A channel that is not saved yet, to ask its upstream for models. */
export function unsavedView(
  channel: Pick<ChannelRow, 'type' | 'key' | 'base_url' | 'setting'>,
  adapter: Adapter,
): ChannelView {
  return Object.freeze({
    id: 0,
    type: channel.type,
    name: '',
    key: channel.key,
    baseUrl: storedBaseUrl(channel, adapter),
    other: '',
    organization: '',
    models: [],
    setting: parseSetting(channel.setting),
  })
}

/** The channel's own base URL, else that of its type, else the adapter's. */
export function storedBaseUrl(
  row: Pick<ChannelRow, 'type' | 'base_url'>,
  adapter: Adapter | undefined,
): string {
  const type = adapter?.channelTypes[row.type]
  const ofType = typeof type === 'object' ? type.baseUrl : undefined
  return (row.base_url || (ofType ?? adapter?.baseUrl ?? '')).replace(/(?<!\/)\/+$/, '')
}

function readJsonFields(row: RoutingRow) {
  let fault: ChannelFault | undefined
  const read = (field: 'setting' | 'model_mapping' | 'status_code_mapping' | 'param_override') => {
    const value = row[field].trim() === '' ? {} : objectIn(row[field])
    if (value !== undefined) return value
    fault = settingFault({
      en: `The channel's ${field} is not a JSON object.`,
      zh: `渠道的 ${field} 不是 JSON 对象。`,
    })
    return {}
  }
  const { override, faulty } = readParamOverride(read('param_override'))
  if (faulty !== undefined)
    fault = settingFault({
      en: `Operation ${faulty} of the channel's param_override is not known.`,
      zh: `渠道 param_override 的第 ${faulty} 个操作无法识别。`,
    })
  return {
    setting: read('setting'),
    modelMapping: textValues(read('model_mapping')),
    statusCodeMapping: statusValues(read('status_code_mapping')),
    paramOverride: override,
    fault,
  }
}

function settingFault(message: Text): ChannelFault {
  return new ChannelFault('invalid_channel_setting', message)
}

/** The stored setting; empty if it cannot be parsed. */
export function parseSetting(setting: string): JsonObject {
  return objectIn(setting) ?? {}
}

function textValues(source: JsonObject): Readonly<Record<string, string>> {
  const entries = Object.entries(source).filter(([, value]) => typeof value === 'string')
  return Object.freeze(Object.fromEntries(entries) as Record<string, string>)
}

/** Codes may be numbers or numeric text; anything that is not an HTTP status is left out. */
function statusValues(source: JsonObject): Readonly<Record<string, number>> {
  const entries = Object.entries(source).map(([from, to]) => [from, Number(to)] as const)
  const valid = entries.filter(([, to]) => Number.isInteger(to) && to >= 100 && to <= 599)
  return Object.freeze(Object.fromEntries(valid))
}
