// Table `channels`, declared once: its columns, who may write them, its model and its form on the wire.
import { Type, type Static, type TProperties } from '@sinclair/typebox'
import { channelStatus } from '../../contract/constants.ts'
import { defineModel } from './define-model.ts'
import { maybe, rowId, wholeNumber } from './given-fields.ts'

/** Written by admins. Values are checked in channel-input.ts, which knows the columns with special rules. */
const written = {
  type: Type.Integer({ default: 0, minimum: 0, description: 'A channel type of an adapter.' }),
  key: Type.String({ default: '', description: 'Stored encrypted; no record on the wire has it.' }),
  openai_organization: Type.String({ default: '', maxLength: 255 }),
  test_model: Type.String({ default: '', maxLength: 255 }),
  status: Type.Integer({
    default: channelStatus.enabled,
    minimum: 0,
    maximum: 3,
    description: '1 enabled, 2 disabled, 3 disabled automatically.',
  }),
  name: Type.String({ default: '', maxLength: 255 }),
  weight: Type.Integer({
    default: 0,
    minimum: 0,
    description: 'Share of the calls among channels of the same priority.',
  }),
  base_url: Type.String({ default: '', maxLength: 2000 }),
  other: Type.String({ default: '' }),
  models: Type.String({ default: '', description: 'Comma list.' }),
  group: Type.String({ default: '', description: 'Comma list.' }),
  model_mapping: Type.String({ default: '', description: 'JSON text.' }),
  status_code_mapping: Type.String({ default: '', description: 'JSON text.' }),
  priority: Type.Integer({ default: 0, minimum: -999, description: 'The highest goes first.' }),
  auto_ban: Type.Integer({
    default: 1,
    minimum: 0,
    maximum: 1,
    description: '1: failures may disable it.',
  }),
  tag: Type.String({ default: '', maxLength: 255 }),
  setting: Type.String({ default: '', description: 'JSON text.' }),
  param_override: Type.String({ default: '', description: 'JSON text.' }),
  max_input_tokens: Type.Integer({ default: 0, minimum: 0, description: '0: no limit.' }),
}

/** Written only by the gateway. */
const kept = {
  created_time: Type.Integer({ default: 0, description: 'Unix seconds.' }),
  test_time: Type.Integer({ default: 0, description: 'Unix seconds of the last test.' }),
  response_time: Type.Integer({
    default: 0,
    description: 'Milliseconds of the last test; 0: untested.',
  }),
  test_fault: Type.String({
    default: '',
    description: 'Why the last test failed; empty: it did not.',
  }),
  balance: Type.Number({ default: 0, description: 'US dollars.' }),
  balance_updated_time: Type.Integer({ default: 0, description: 'Unix seconds.' }),
  used_quota: Type.Integer({ default: 0, description: 'Quota units.' }),
  other_info: Type.String({
    default: '',
    description: 'JSON text: why and when it was disabled, its dead keys.',
  }),
}

export const channelFields = Type.Object(written)
export type ChannelFields = Static<typeof channelFields>

/** A row as the gateway reads it. */
export const channelRow = Type.Object({ id: rowId, ...written, ...kept })
export type ChannelRow = Static<typeof channelRow>

/** What a write may set. It includes `key_hash`, which only the search by key reads. */
const channelTable = Type.Object({
  ...channelRow.properties,
  key_hash: Type.String({ default: '', description: 'Look-up hash of the key.' }),
})
export type ChannelColumns = Partial<Static<typeof channelTable>>

export const channelColumns = Object.keys(channelRow.properties) as (keyof ChannelRow)[]

export const channelModel = defineModel('channels', channelTable, ['id'])

/** A channel on the wire, for admins; never with its key. */
export type ChannelRecord = Omit<ChannelRow, 'key'> & {
  key: ''
  /** The names of secrets that are set; `setting` does not contain them. */
  setting_secrets?: string[]
}

export function toChannelRecord(row: ChannelRow): ChannelRecord {
  return { ...row, key: '' }
}

/** As `inputFields` below; number inputs may send text. */
type Given<T> = T extends number ? number | string | null : T | null
type ChannelInput = { [Field in keyof ChannelFields]?: Given<ChannelFields[Field]> }

const inputFields: TProperties = Object.fromEntries(
  Object.entries(written).map(([name, { type, description }]) => [
    name,
    maybe(
      type === 'integer' ? wholeNumber() : Type.String(),
      description === undefined ? {} : { description },
    ),
  ]),
)

/** Bodies of the admin's calls. Other fields of the row are ignored. */
export const newChannelBody = Type.Object(inputFields)
export type NewChannelBody = ChannelInput
export const channelBody = Type.Object({
  id: rowId,
  ...inputFields,
  shown: maybe(Type.Object(inputFields), {
    description:
      'The changed fields as a page had read them: if somebody else has changed one since, nothing is written.',
  }),
})
export type ChannelBody = ChannelInput & { id: number; shown?: ChannelInput | null }
