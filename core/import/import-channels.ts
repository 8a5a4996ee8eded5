import type { Transaction } from 'sequelize'
import { joinUrl } from '../adapter-kit/openai/join-url.ts'
import { isMultiKey, keysOf } from '../channels/keys/multi-key.ts'
import { keyLines, readChannelFields, refuseTooManyRoutes } from '../channels/channel-input.ts'
import { parseSetting } from '../channels/routing/routed-channel.ts'
import { sealSetting } from '../channels/setting-secrets.ts'
import type { Adapter } from '../contract/adapter.ts'
import { channelStatus } from '../contract/constants.ts'
import { AppError } from '../contract/errors.ts'
import type { JsonObject } from '../contract/json.ts'
import type { DatabaseService, SecretService } from '../contract/services.ts'
import { channelModel, type ChannelColumns, type ChannelFields } from '../data/models/channel.ts'
import { settingOf } from './channel-settings.ts'
import { deadKeysThere } from './dead-keys.ts'
import { type Family, type TypeHere, typeHere } from './family.ts'
import type { ImportReport } from './import-report.ts'
import { inGroups } from './in-groups.ts'
import { mappingOf, onlyNameOf } from './models-there.ts'
import type { OldRow } from './old-row.ts'

interface ChannelDeps {
  database: DatabaseService
  secrets: SecretService
  report: ImportReport
  family: Family
  adapterOf: (type: number) => Adapter | undefined
}

/** Columns that are called the same and mean the same. */
const sameFields = [
  'test_model',
  'name',
  'models',
  'group',
  'status_code_mapping',
  'tag',
  'param_override',
] as const

/** Takes channels over with their ids, which log rows name. What cannot serve here is disabled and named.
 *  @returns the lists of models of those that are enabled */
export async function importChannels(
  deps: ChannelDeps,
  rows: AsyncIterable<OldRow>,
  transaction: Transaction,
): Promise<string[]> {
  const lists: string[] = []
  for await (const group of inGroups(rows)) {
    const read = group.map((row) => channelOf(row, deps))
    await channelModel(deps.database).bulkCreate(read, { transaction })
    deps.report.take('channels', read.length)
    for (const { status, models = '' } of read)
      if (status === channelStatus.enabled) lists.push(models)
  }
  return lists
}

function channelOf(row: OldRow, deps: ChannelDeps): ChannelColumns {
  const { family, report, secrets, adapterOf } = deps
  const id = row.whole('id')
  const here = typeHere(family, row.whole('type'))
  const adapter = here && adapterOf(here.type)
  const { key, ...given } = givenOf(row, here, deps)
  if (given['base_url'] === '' && here?.baseUrl !== undefined) given['base_url'] = here.baseUrl
  const { fields, faults } = sound(given)
  for (const field of faults) {
    report.leaveOut('fields of channels', `${field} has a form that is refused here`, `${id}`)
  }
  noteUnread(row, report)
  const obstacle = obstacleOf(here, fields)
  if (obstacle !== undefined) report.leaveOut('channels', `${obstacle}: disabled`, `${id}`)
  if (!adapter) {
    const type = row.whole('type')
    report.leaveOut('channels', `type ${type} does not exist here: disabled`, `${id}`)
  }
  const text = keyTextOf(key, fields, adapter)
  const keys = keysOf(text, parseSetting(fields.setting ?? ''), adapter)
  const dead = deadKeysThere(row.object('channel_info'), key, keys)
  const isWhole = adapter !== undefined && faults.length === 0 && obstacle === undefined
  return {
    ...fields,
    id,
    type: here?.type ?? 0,
    key: secrets.encrypt(text),
    key_hash: secrets.lookup('channel-key', text),
    group: fields.group || 'default',
    setting: sealSetting(fields.setting ?? '', '', adapter, secrets),
    other_info: dead.length > 0 ? JSON.stringify({ keys: keys.length, dead_keys: dead }) : '',
    status: statusOf(row.whole('status'), isWhole && dead.length < keys.length),
    created_time: row.whole('created_time'),
    test_time: row.whole('test_time'),
    response_time: row.whole('response_time'),
    balance: row.number('balance'),
    balance_updated_time: row.whole('balance_updated_time'),
    used_quota: row.whole('used_quota'),
  }
}

/** Why a channel cannot serve as it did, though its type exists here. */
function obstacleOf(
  here: TypeHere | undefined,
  { base_url: baseUrl = '', other }: Partial<ChannelFields>,
): string | undefined {
  if (here?.isAddressVersioned === true && isVersionAdded(baseUrl))
    return 'their calls went to the address itself and would go to /v1 below it'
  if (here?.otherIsModelAfter !== undefined && !other)
    return 'each of their models is a bot there, and a channel has one here'
  return undefined
}

/** Whether a call goes to another address than one that names its version, or stands in its place. */
function isVersionAdded(baseUrl: string): boolean {
  const base = baseUrl.replace(/(?<!\/)\/+$/, '')
  return joinUrl(base, '/v1/models') !== `${base}/models`
}

/** Names what a channel had there and cannot have here. */
function noteUnread(row: OldRow, report: ImportReport): void {
  if (row.text('remark').trim() !== '')
    report.leaveOut('remarks of channels', 'a channel has none here', row.text('id'))
}

/** What an admin would enter in the form. */
function givenOf(
  row: OldRow,
  here: TypeHere | undefined,
  { family, report }: ChannelDeps,
): JsonObject & { key: string } {
  const config = row.object('config')
  const beginning = here?.otherIsModelAfter
  return {
    ...Object.fromEntries(sameFields.map((name) => [name, row.text(name)])),
    key: textIn(config, [family.configKey]) || row.text('key'),
    model_mapping: mappingOf(row, here),
    base_url: addressOf(row.text('base_url').trim(), family),
    openai_organization: row.text('open_ai_organization') || row.text('openai_organization'),
    other:
      beginning === undefined
        ? row.text('other') || textIn(config, family.configOther)
        : onlyNameOf(row, beginning),
    setting: settingOf(row, family, report),
    weight: Math.max(0, row.whole('weight')),
    priority: row.whole('priority'),
    auto_ban: row.text('auto_ban') === '' || row.isTrue('auto_ban') ? 1 : 0,
  }
}

function addressOf(given: string, { addresses }: Family): string {
  return addresses.find(({ there }) => there === given)?.here ?? given
}

/** The first of these fields that is a text. */
function textIn(config: JsonObject, names: readonly string[]): string {
  for (const name of names) {
    const value = config[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return ''
}

/** The fields that pass the checks of the form, and the names of the others. Of a setting, only the key that is refused is left out. */
function sound(given: JsonObject): { fields: Partial<ChannelFields>; faults: string[] } {
  let left = given
  const faults: string[] = []
  for (;;) {
    try {
      const fields = readChannelFields(left)
      refuseTooManyRoutes({ models: '', group: 'default', ...fields }, 'models')
      return { fields, faults }
    } catch (error) {
      if (!(error instanceof AppError) || error.field === undefined) throw error
      left = without(left, error.field, error)
      faults.push(error.field)
    }
  }
}

/** @throws the error if there is no such field */
function without(given: JsonObject, path: string, error: AppError): JsonObject {
  const [name = '', key] = path.split('.')
  const owner = key === undefined ? given : parseSetting(textIn(given, [name]))
  if (!Object.hasOwn(owner, key ?? name)) throw error
  const { [key ?? name]: _refused, ...others } = owner
  return key === undefined ? others : { ...given, [name]: JSON.stringify(others) }
}

function keyTextOf(
  key: string,
  { setting = '' }: Partial<ChannelFields>,
  adapter: Adapter | undefined,
): string {
  if (adapter?.form?.isMultilineKey) return key
  const lines = keyLines(key)
  return isMultiKey(parseSetting(setting)) ? lines.join('\n') : (lines[0] ?? '')
}

function statusOf(given: number, canServe: boolean): number {
  if (!canServe) return channelStatus.disabledByHand
  if (given === channelStatus.enabled || given === channelStatus.disabledAutomatically) return given
  return channelStatus.disabledByHand
}
