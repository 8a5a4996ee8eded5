import { channelStatus, readUrl, splitList } from '#console'
import type { Channel } from '../channel.ts'
import { readSetting } from './setting-json.ts'

/** The values of the drawer: the record, with arrays for its comma lists and a boolean for its flag. */
export interface ChannelForm extends Partial<Omit<Channel, 'models' | 'group' | 'auto_ban'>> {
  models: string[]
  groups: string[]
  auto_ban: boolean
}

/** The values of a new channel; all others are empty. */
export const emptyChannel: ChannelForm = {
  type: 1,
  status: channelStatus.enabled,
  models: [],
  groups: ['default'],
  auto_ban: true,
  priority: 0,
  weight: 0,
  max_input_tokens: 0,
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

/** The body of a create or update call: of a record that was read, only what the form changed. The type is always said, as
 *  what is checked beside it depends on it. */
export function bodyOf(form: ChannelForm, before = emptyChannel): Record<string, unknown> {
  const { id } = before
  const old = fieldsOf(before)
  const fields = Object.entries(fieldsOf(form))
    .map(([name, value]) => [name, value ?? (typeof old[name] === 'number' ? 0 : '')] as const)
    .filter(([name, value]) => id === undefined || name === 'type' || value !== old[name])
  return { ...Object.fromEntries(fields), ...(id === undefined ? {} : { id }) }
}

/** The values that the record had in the fields that `body` changes. If somebody else has changed one of them since, the server writes
 *  nothing. */
export function shownOf(body: Record<string, unknown>, record: Channel): Record<string, unknown> {
  const before = new Map<string, unknown>(Object.entries(record))
  const names = Object.keys(body).filter((name) => !unseen.has(name) && before.has(name))
  return Object.fromEntries(names.map((name) => [name, before.get(name)]))
}

/** The key is shown to nobody, and the status is changed by the gateway, too. */
const unseen = new Set(['id', 'key', 'status'])

/** The record's fields as they are sent. */
function fieldsOf({ models, groups, auto_ban, ...plain }: ChannelForm): Record<string, unknown> {
  return {
    ...plain,
    ...(plain.name === undefined ? {} : { name: plain.name.trim() }),
    ...(plain.key === undefined ? {} : { key: plain.key.trim() }),
    ...(plain.base_url === undefined ? {} : { base_url: trimAddress(plain.base_url) }),
    models: models.join(','),
    group: (groups?.length ? groups : ['default']).join(','),
    auto_ban: auto_ban ? 1 : 0,
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
  return readUrl(address)?.origin ?? address
}

export function trimAddress(address: string | undefined): string {
  return (address ?? '').trim().replace(/\/+$/, '')
}

/** Calls bear such an address, but it is mostly a slip: the form asks. */
export function endsInVersion(address: string | undefined): boolean {
  return trimAddress(address).endsWith('/v1')
}
