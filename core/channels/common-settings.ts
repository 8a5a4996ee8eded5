import { KindGuard, Type, type TProperties } from '@sinclair/typebox'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { Value } from '@sinclair/typebox/value'
import type { Adapter } from '../contract/adapter.ts'
import { isObject, type JsonObject } from '../contract/json.ts'
import type { OptionUi } from '../contract/options.ts'

const ui = (hints: OptionUi) => ({ 'x-ui': hints })
const flag = (description: string, hints: OptionUi = {}) =>
  Type.Optional(Type.Boolean({ description, ...ui(hints) }))

const properties = {
  force_format: flag('Writes every answer again in the exact OpenAI format.'),
  thinking_to_content: flag('Puts reasoning between `<think>` tags in front of the answer.'),
  pass_through_body_enabled: flag(
    'Passes bodies on as they came, except for the model, where provider and client speak the same dialect; nothing else here changes them then.',
  ),
  system_prompt: Type.Optional(
    Type.String({
      description: 'Instructions for the model in chats whose client sends none.',
      maxLength: 65_536,
      ...ui({ widget: 'textarea' }),
    }),
  ),
  system_prompt_override: flag(
    'Puts `system_prompt` also in front of the instructions of clients.',
    { showIf: { system_prompt: true } },
  ),
  allow_service_tier: flag(
    'Forwards service tiers and other fields of the client that cost more than the usual price.',
  ),
  multi_key: flag('The lines of the key are keys of this one channel; dead ones are passed over.'),
  multi_key_mode: Type.Optional(
    Type.Union([Type.Literal('random'), Type.Literal('polling')], {
      default: 'random',
      description: 'Which of several keys a call uses: any, or each in turn.',
      ...ui({ showIf: { multi_key: true } }),
    }),
  ),
  headers: Type.Optional(
    Type.String({
      description:
        "Headers for the host of the channel's address, one `Name: value` a line. They replace the gateway's.",
      maxLength: 65_536,
      ...ui({ secret: true, widget: 'textarea' }),
    }),
  ),
  proxy: Type.Optional(
    Type.String({ description: 'http, https or socks5 proxy for the calls of this channel.' }),
  ),
} satisfies TProperties

/** The keys of a channel's `setting` that core reads, for channels of any type. The checks on saving, the form and
 *  docs/channel-types.md come from here. */
export const commonSettings = Type.Object(properties)

/** The first of these keys whose value does not fit; null and '' count as absent, other keys are the adapter's. */
export function faultySetting(setting: JsonObject): string | undefined {
  return firstFaulty(setting, properties)
}

/** The first key of an adapter's own settings whose value does not fit. */
export function faultyOwnSetting(
  setting: JsonObject,
  { settings }: Pick<Adapter, 'settings'>,
): string | undefined {
  const own: unknown = settings?.['properties']
  return isObject(own) ? firstFaulty(setting, own) : undefined
}

function firstFaulty(setting: JsonObject, schemas: JsonObject): string | undefined {
  return Object.entries(schemas).find(([key, schema]) => {
    const value = Object.hasOwn(setting, key) ? setting[key] : undefined
    return value !== undefined && value !== null && value !== '' && !fits(value, schema)
  })?.[0]
}

/** What nothing here can check is drawn in the form, and fits: JSON Schema that was not made with TypeBox, wholly or in part, and formats of texts. */
function fits(value: unknown, schema: unknown): boolean {
  if (!KindGuard.IsSchema(schema)) return true
  try {
    return areUnchecked(Value.Errors(schema, value))
  } catch {
    return true
  }
}

function areUnchecked(faults: Iterable<ValueError>): boolean {
  for (const { type, errors } of faults) {
    const isUnchecked =
      type === ValueErrorType.StringFormatUnknown ||
      (type === ValueErrorType.Union && errors.some(areUnchecked))
    if (!isUnchecked) return false
  }
  return true
}
