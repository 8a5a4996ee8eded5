import { type Channel, splitList } from './channel.ts'
import { readSetting } from './setting-json.ts'

/** What the drawer edits: the record with its comma lists as lists and its flag as one. */
export interface ChannelForm extends Omit<Channel, 'models' | 'group' | 'auto_ban' | 'id'> {
  id?: number
  models: string[]
  groups: string[]
  auto_ban: boolean
}

export const emptyChannel: ChannelForm = {
  type: 1,
  name: '',
  key: '',
  status: 1,
  base_url: '',
  other: '',
  openai_organization: '',
  test_model: '',
  models: [],
  groups: ['default'],
  auto_ban: true,
  priority: 0,
  weight: 0,
  tag: '',
  model_mapping: '',
  status_code_mapping: '',
  setting: '',
  param_override: '',
  other_info: '',
  max_input_tokens: 0,
  created_time: 0,
  test_time: 0,
  response_time: 0,
  balance: 0,
  balance_updated_time: 0,
  used_quota: 0,
}

export function formOf(channel: Channel): ChannelForm {
  const { models, group, auto_ban, ...rest } = channel
  return {
    ...rest,
    key: '',
    models: splitList(models),
    groups: splitList(group),
    auto_ban: auto_ban !== 0,
  }
}

/** Fields that an admin may write. */
const written = [
  'type',
  'name',
  'key',
  'base_url',
  'other',
  'openai_organization',
  'test_model',
  'priority',
  'weight',
  'tag',
  'model_mapping',
  'status_code_mapping',
  'setting',
  'param_override',
  'max_input_tokens',
] as const satisfies readonly (keyof ChannelForm)[]

/** The body of a create or update call. */
export function bodyOf(form: ChannelForm): Record<string, unknown> {
  const body: Record<string, unknown> = Object.fromEntries(
    written.map((name) => [name, form[name] ?? '']),
  )
  return {
    ...body,
    ...(form.id === undefined ? {} : { id: form.id }),
    name: form.name.trim(),
    key: (form.key ?? '').trim(),
    base_url: trimAddress(form.base_url),
    priority: form.priority ?? 0,
    weight: form.weight ?? 0,
    max_input_tokens: form.max_input_tokens ?? 0,
    models: form.models.join(','),
    group: (form.groups?.length ? form.groups : ['default']).join(','),
    auto_ban: form.auto_ban ? 1 : 0,
  }
}

/** Whether the stored key would go to another host; the server then asks for it, so the form says so beforehand. */
export function needsKeyAgain(
  before: ChannelForm | undefined,
  after: Partial<ChannelForm>,
  defaultAddress: (type: number | undefined) => string | undefined,
): boolean {
  if (before?.id === undefined) return false
  if (after.type !== undefined && after.type !== before.type) return true
  const hostOf = (address: string | undefined) =>
    originOf(trimAddress(address) || (defaultAddress(before.type) ?? ''))
  const host = hostOf(after.base_url)
  if (host !== hostOf(before.base_url)) return true
  const proxy = readSetting(after.setting)?.['proxy'] ?? ''
  return (
    !host.startsWith('https:') &&
    proxy !== '' &&
    proxy !== (readSetting(before.setting)?.['proxy'] ?? '')
  )
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address
}

export function trimAddress(address: string | undefined): string {
  return (address ?? '').trim().replace(/\/+$/, '')
}

/** The gateway adds `/v1` by itself; an address that ends in it is nearly always a slip. */
export function endsInVersion(address: string | undefined): boolean {
  return trimAddress(address).endsWith('/v1')
}
