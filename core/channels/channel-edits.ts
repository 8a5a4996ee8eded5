import type { Transaction } from 'sequelize'
import type { Adapter } from '../contract/adapter.ts'
import { isObject, type JsonObject } from '../contract/json.ts'
import { channelStatus } from '../contract/constants.ts'
import type { DatabaseService, SecretService } from '../contract/services.ts'
import {
  channelChanged,
  channelFieldMissing,
  channelIdsMissing,
  channelHeadersUnaddressed,
  channelKeyNeeded,
  channelKeyNotSingle,
  channelModelsMissing,
  channelNotFound,
  channelOtherInvalid,
  channelSecretNeeded,
  channelSettingInvalid,
  channelTooManyKeys,
  channelTypeUnknown,
} from './channel-errors.ts'
import { withoutDeadKeys } from './health/automatic-status.ts'
import {
  channelFields,
  type ChannelColumns,
  type ChannelFields,
  type ChannelRecord,
  type ChannelRow,
  toChannelRecord,
} from '../data/models/channel.ts'
import { defaultsOf } from '../data/models/define-model.ts'
import { changedField } from '../kernel/changed-field.ts'
import { inSlices } from '../kernel/in-slices.ts'
import { keyLines, readChannelFields, refuseTooManyRoutes } from './channel-input.ts'
import { faultyOwnSetting } from './common-settings.ts'
import { sendsKeyElsewhere } from './keys/key-host.ts'
import { isMultiKey } from './keys/multi-key.ts'
import { parseSetting, storedBaseUrl } from './routing/routed-channel.ts'
import { keptSecrets, sealSetting, shownChannel } from './setting-secrets.ts'
import {
  deleteChannels,
  insertChannel,
  lockChannelIds,
  lockChannels,
  updateChannels,
} from './channel-store.ts'
import { insertChannels } from './insert-channels-sql.ts'

export interface EditDeps {
  database: DatabaseService
  secrets: SecretService
  adapterOf: (type: number) => Adapter | undefined
  nowSeconds: () => number
}

const MOST_KEYS_AT_ONCE = 5000

const emptyFields = defaultsOf(channelFields)

const writtenFields = (Object.keys(emptyFields) as (keyof ChannelFields)[]).filter(
  (field) => field !== 'key' && field !== 'status',
)

const COPY = ' copy'
const LONGEST_NAME = channelFields.properties.name.maxLength ?? 255

/** Adds one channel for each line of the key; all of them or none. */
export async function addChannels(deps: EditDeps, input: JsonObject): Promise<number[]> {
  const { key, ...fields } = { ...emptyFields, ...readChannelFields(input) }
  const adapter = deps.adapterOf(fields.type)
  if (adapter === undefined) throw channelTypeUnknown({ type: fields.type }, { field: 'type' })
  fields.group ||= 'default'
  fields.other ||= adapter.form?.other?.default ?? ''
  if (fields.status !== channelStatus.disabledByHand) fields.status = channelStatus.enabled
  checkComplete(fields, adapter, key)
  refuseTooManyRoutes(fields, 'models')
  checkOwnSettings(fields.setting, adapter)
  fields.setting = sealSetting(fields.setting, '', adapter, deps.secrets)
  checkHeaders(fields, adapter)
  const isOne = adapter.form?.isMultilineKey || isMultiKey(parseSetting(fields.setting))
  const keys = isOne && key !== '' ? [key] : keyLines(key)
  if (keys.length === 0) throw missing('key')
  if (keys.length > MOST_KEYS_AT_ONCE) throw channelTooManyKeys({ max: MOST_KEYS_AT_ONCE })
  const sealed: SealedKey[] = []
  await inSlices(sealEach(deps, keys, sealed))
  const columns = { ...fields, created_time: deps.nowSeconds() }
  return deps.database.transaction((transaction) =>
    insertChannels(deps.database, columns, sealed, transaction),
  )
}

function* sealEach(deps: EditDeps, keys: readonly string[], sealed: SealedKey[]) {
  for (const key of keys) {
    sealed.push(sealedKey(deps, key))
    yield
  }
}

/** Writes the fields that `input` contains (see `changesOf`). If the edit would send the key to a new host, the key
 *  must be given again.
 *  @returns the channel's id */
export async function editChannel(deps: EditDeps, input: JsonObject): Promise<number> {
  const id = idOf(input)
  await deps.database.transaction(async (transaction) => {
    const row = await lockChannel(deps, id, transaction)
    refuseChanged(input['shown'], shownChannel(toChannelRecord(row), deps.adapterOf(row.type)))
    const { key, ...changes } = changesOf(readChannelFields(input), row)
    const next: ChannelRow = { ...row, ...changes }
    checkChanges(deps, changes, next, row)
    checkKeyOfOther(deps, { key, changes, next })
    if (key === undefined && sendsKeyElsewhere(row, next, deps.adapterOf))
      throw channelKeyNeeded({ field: 'key' }, { field: 'key' })
    next.setting = settingOf(deps, changes, next, row)
    if ('setting' in changes || 'base_url' in changes) checkHeaders(next, deps.adapterOf(next.type))
    const columns: ChannelColumns = { ...changes, setting: next.setting }
    if (key !== undefined) Object.assign(columns, newKey(deps, key, next))
    else if (isMultiKey(parseSetting(row.setting))) checkKept(deps, next)
    if (changes.status !== undefined) columns.other_info = ''
    else if (key !== undefined) columns.other_info = withoutDeadKeys(row)
    await updateChannels(deps.database, [id], columns, transaction)
  })
  return id
}

/** The key is shown to nobody, and the gateway itself changes the status, so these two are not compared.
 *  @throws channel.changed */
function refuseChanged(shown: unknown, record: ChannelRecord): void {
  if (!isObject(shown)) return
  const current: ReadonlyMap<string, string> = new Map(
    writtenFields.map((field) => [field, String(record[field])]),
  )
  const field = changedField(shown, (name) => current.get(name))
  if (field !== undefined) throw channelChanged({ field }, { field })
}

/** The setting with its secrets encrypted. A secret that is kept must not be sent to a new host, and another adapter does not get it. */
function settingOf(
  deps: EditDeps,
  changes: Partial<ChannelFields>,
  next: ChannelRow,
  row: ChannelRow,
): string {
  const adapter = deps.adapterOf(next.type)
  const given = changes.setting
  const kept = keptSecrets(given, row.setting, adapter)
  if (kept[0] !== undefined && sendsKeyElsewhere(row, next, deps.adapterOf))
    throw channelSecretNeeded({ key: kept[0] }, { field: `setting.${kept[0]}` })
  if (given === undefined) return row.setting
  if (adapter) checkOwnSettings(given, adapter)
  const isSame = adapter !== undefined && adapter === deps.adapterOf(row.type)
  return sealSetting(given, isSame ? row.setting : '', adapter, deps.secrets)
}

/** Adds an enabled channel with the same key, but with figures and times reset. */
export async function copyChannel(deps: EditDeps, id: number): Promise<number> {
  return deps.database.transaction(async (transaction) => {
    const { id: _, ...row } = await lockChannel(deps, id, transaction)
    const copy = {
      ...row,
      ...sealedKey(deps, deps.secrets.decrypt(row.key)),
      name: `${row.name.slice(0, LONGEST_NAME - COPY.length).toWellFormed()}${COPY}`,
      status: channelStatus.enabled,
      created_time: deps.nowSeconds(),
      test_time: 0,
      response_time: 0,
      test_fault: '',
      balance: 0,
      balance_updated_time: 0,
      used_quota: 0,
      other_info: '',
    }
    return insertChannel(deps.database, copy, transaction)
  })
}

/** @returns how many channels were removed */
export async function removeChannels(
  database: DatabaseService,
  ids: readonly number[],
): Promise<number> {
  if (ids.length === 0) throw channelIdsMissing({}, { field: 'ids' })
  return database.transaction((transaction) => deleteChannels(database, ids, transaction))
}

/** Removes all channels that are disabled, by an admin or automatically.
 *  @returns their ids */
export async function removeDisabledChannels(database: DatabaseService): Promise<number[]> {
  return database.transaction(async (transaction) => {
    const disabled = [channelStatus.disabledByHand, channelStatus.disabledAutomatically]
    const ids = await lockChannelIds(database, { status: disabled }, transaction)
    await deleteChannels(database, ids, transaction)
    return ids
  })
}

export async function lockChannel(
  { database }: Pick<EditDeps, 'database'>,
  id: number,
  transaction: Transaction,
): Promise<ChannelRow> {
  const [row] = await lockChannels(database, { id }, transaction)
  if (row === undefined) throw channelNotFound({ id })
  return row
}

/** The edit form sends every field, small forms only one. An empty plain field means unchanged. `other` is cleared only
 *  by a form that sends the type as well. */
function changesOf(fields: Partial<ChannelFields>, row: ChannelRow): Partial<ChannelFields> {
  const changes = { ...fields }
  for (const field of ['type', 'key', 'name', 'models', 'group', 'status'] as const) {
    if (changes[field] === '' || changes[field] === 0) delete changes[field]
  }
  if (changes.other === '' && fields.type === undefined) delete changes.other
  // Only the gateway disables automatically; a form that was loaded in that status sends it back unchanged.
  const isUnchanged = changes.status === row.status
  if (isUnchanged || changes.status === channelStatus.disabledAutomatically) delete changes.status
  return changes
}

function checkChanges(
  deps: EditDeps,
  changes: Partial<ChannelFields>,
  next: ChannelRow,
  row: ChannelRow,
): void {
  const adapter = deps.adapterOf(next.type)
  // A channel whose adapter is switched off can still be edited.
  if (adapter === undefined && next.type !== row.type) {
    throw channelTypeUnknown({ type: next.type }, { field: 'type' })
  }
  const touches = (field: keyof ChannelFields) => field in changes || next.type !== row.type
  if (touches('base_url') && adapter?.form?.baseUrl?.required && next.base_url === '') {
    throw missing('base_url')
  }
  if (touches('other') && adapter) checkOther(next.other, adapter)
  if (next.models !== row.models) refuseTooManyRoutes(next, 'models')
  else if (next.group !== row.group) refuseTooManyRoutes(next, 'group')
}

/** @throws channel.setting_invalid */
function checkOwnSettings(setting: string, adapter: Adapter): void {
  const key = faultyOwnSetting(parseSetting(setting), adapter)
  if (key !== undefined) throw channelSettingInvalid({ key }, { field: `setting.${key}` })
}

/** @throws channel.headers_unaddressed */
function checkHeaders(
  fields: Pick<ChannelRow, 'type' | 'base_url' | 'setting'>,
  adapter: Adapter | undefined,
): void {
  if (!parseSetting(fields.setting)['headers'] || adapter === undefined) return
  if (!URL.canParse(storedBaseUrl(fields, adapter)))
    throw channelHeadersUnaddressed({}, { field: 'base_url' })
}

function checkComplete(fields: Omit<ChannelFields, 'key'>, adapter: Adapter, key: string): void {
  if (fields.name === '') throw missing('name')
  if (fields.models === '') throw channelModelsMissing({}, { field: 'models' })
  if (adapter.form?.baseUrl?.required && fields.base_url === '') throw missing('base_url')
  checkOther(fields.other, adapter)
  if (needsOther(adapter, key) && fields.other === '') throw missing('other')
}

/** Checks `other` together with the key, since an edit may change either of them alone. */
function checkKeyOfOther(
  { adapterOf, secrets }: Pick<EditDeps, 'adapterOf' | 'secrets'>,
  edit: { key: string | undefined; changes: Partial<ChannelFields>; next: ChannelRow },
): void {
  const { key, changes, next } = edit
  if (next.other !== '' || (key === undefined && !('other' in changes))) return
  if (needsOther(adapterOf(next.type), key ?? secrets.decrypt(next.key))) throw missing('other')
}

function needsOther(adapter: Adapter | undefined, key: string): boolean {
  return adapter?.form?.other?.requiredWithJsonKey === true && key.trimStart().startsWith('{')
}

/** If `other` maps models to values, it needs a default for the models that it does not name. */
function checkOther(other: string, adapter: Adapter): void {
  const form = adapter.form?.other
  if (form?.required && other === '') throw missing('other')
  if (!form?.isModelMap || !other.trim().startsWith('{')) return
  if (!Object.hasOwn(parseSetting(other), 'default')) {
    throw channelOtherInvalid({}, { field: 'other' })
  }
}

/** Refuses to switch `multi_key` off while the channel has several keys. @throws channel.key_not_single */
function checkKept(deps: EditDeps, row: ChannelRow): void {
  if (!isMultiKey(parseSetting(row.setting))) newKey(deps, deps.secrets.decrypt(row.key), row)
}

function newKey(deps: EditDeps, key: string, row: Pick<ChannelRow, 'type' | 'setting'>) {
  if (deps.adapterOf(row.type)?.form?.isMultilineKey) return sealedKey(deps, key)
  if (isMultiKey(parseSetting(row.setting))) return sealedKey(deps, keyLines(key).join('\n'))
  const [line = '', ...more] = keyLines(key)
  if (more.length > 0) throw channelKeyNotSingle({}, { field: 'key' })
  return sealedKey(deps, line)
}

interface SealedKey {
  key: string
  key_hash: string
}

export function sealedKey({ secrets }: Pick<EditDeps, 'secrets'>, key: string): SealedKey {
  return { key: secrets.encrypt(key), key_hash: secrets.lookup('channel-key', key) }
}

function idOf(input: JsonObject): number {
  const id = Number(input['id'])
  if (!Number.isSafeInteger(id) || id <= 0) throw missing('id')
  return id
}

function missing(field: string) {
  return channelFieldMissing({ field }, { field })
}
