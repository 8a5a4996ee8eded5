import type { ChannelRecord } from '../contract/services.ts'

/** A row of table `channels`: as on the wire, but with the key sealed. */
export interface ChannelRow extends ChannelRecord {
  /** Sealed by SecretService. */
  key: string
}

export const channelStatus = { enabled: 1, disabledByHand: 2, disabledAutomatically: 3 } as const

/** Every column but key_hash, which only the search by key needs. */
export const channelColumns = [
  'id',
  'type',
  'key',
  'openai_organization',
  'test_model',
  'status',
  'name',
  'weight',
  'created_time',
  'test_time',
  'response_time',
  'base_url',
  'other',
  'balance',
  'balance_updated_time',
  'models',
  'group',
  'used_quota',
  'model_mapping',
  'status_code_mapping',
  'priority',
  'auto_ban',
  'other_info',
  'tag',
  'setting',
  'param_override',
  'max_input_tokens',
] as const satisfies readonly (keyof ChannelRecord)[]

export const selectChannels = `SELECT ${channelColumns.map((column) => `"${column}"`).join(', ')} FROM channels`

/** The row as it may leave the process: never with its key. */
export function toRecord(row: ChannelRow): ChannelRecord {
  return { ...row, key: '' }
}

/** The items of a comma list, trimmed, without empty ones and repetitions. */
export function splitList(list: string): string[] {
  const items = list.split(',').map((item) => item.trim())
  return [...new Set(items.filter((item) => item !== ''))]
}
