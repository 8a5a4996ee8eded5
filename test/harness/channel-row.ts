import type { ChannelRow } from '../../core/channels/channel-row.ts'

export type RowFields = Partial<ChannelRow> & { id: number }

/** An enabled channel of type 1 that serves model `m` to group `default`. */
export function channelRow(fields: RowFields): ChannelRow {
  return {
    type: 1,
    key: '',
    openai_organization: '',
    test_model: '',
    status: 1,
    name: `channel ${fields.id}`,
    weight: 0,
    created_time: 0,
    test_time: 0,
    response_time: 0,
    base_url: '',
    other: '',
    balance: 0,
    balance_updated_time: 0,
    models: 'm',
    group: 'default',
    used_quota: 0,
    model_mapping: '',
    status_code_mapping: '',
    priority: 0,
    auto_ban: 1,
    other_info: '',
    tag: '',
    setting: '',
    param_override: '',
    max_input_tokens: 0,
    ...fields,
  }
}
