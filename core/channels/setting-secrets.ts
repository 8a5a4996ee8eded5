// Secret settings (`x-ui.secret`): encrypted in the channel's `setting`, and never sent to a console.
import type { Adapter } from '../contract/adapter.ts'
import { isObject, type JsonObject } from '../contract/json.ts'
import type { SecretService } from '../contract/services.ts'
import type { ChannelRecord } from '../data/models/channel.ts'
import { commonSettings } from './common-settings.ts'
import { parseSetting } from './routing/routed-channel.ts'

/** The prefix of values that SecretService.encrypt returns. */
const SEALED = 'v1:'

/** The names of the secret settings of every channel, and of those that the adapter adds. */
function secretNames(adapter: Adapter | undefined): string[] {
  const own: unknown = adapter?.settings?.['properties']
  return Object.entries({ ...(isObject(own) ? own : {}), ...commonSettings.properties })
    .filter(([, schema]) => {
      const ui: unknown = isObject(schema) ? schema['x-ui'] : undefined
      return isObject(ui) && ui['secret'] === true
    })
    .map(([name]) => name)
}

/** The setting as it is stored: secrets that are given are encrypted, missing ones keep their value, blank ones
 *  are cleared.
 *  @param before the stored setting of the same adapter */
export function sealSetting(
  given: string,
  before: string,
  adapter: Adapter | undefined,
  secrets: SecretService,
): string {
  const [setting, stored] = [{ ...parseSetting(given) }, parseSetting(before)]
  const names = secretNames(adapter).filter(
    (name) => Object.hasOwn(setting, name) || Object.hasOwn(stored, name),
  )
  if (names.length === 0) return given
  for (const name of names) {
    const value = Object.hasOwn(setting, name) ? setting[name] : stored[name]
    const isKept = !Object.hasOwn(setting, name)
    delete setting[name]
    if (isBlank(value)) continue
    setting[name] = isKept && isSealed(value) ? value : secrets.encrypt(textOf(value))
  }
  return Object.keys(setting).length === 0 ? '' : JSON.stringify(setting)
}

/** Names of the stored secrets that an edit does not change. */
export function keptSecrets(
  given: string | undefined,
  before: string,
  adapter: Adapter | undefined,
): string[] {
  const [setting, stored] = [parseSetting(given ?? ''), parseSetting(before)]
  return secretNames(adapter).filter(
    (name) => Boolean(stored[name]) && !Object.hasOwn(setting, name),
  )
}

/** The setting as the adapter reads it. @throws if it was encrypted with another master key */
export function openSetting(
  setting: string,
  adapter: Adapter | undefined,
  secrets: SecretService,
): string {
  // Most channels have none, and there may be ten thousand channels to open.
  if (!setting.includes(SEALED)) return setting
  const names = secretNames(adapter)
  const opened = { ...parseSetting(setting) }
  for (const name of names) {
    const value = opened[name]
    if (isSealed(value)) opened[name] = secrets.decrypt(value)
  }
  return JSON.stringify(opened)
}

/** The record as admins see it: without secrets, but with the names of those that are set. Encrypted values are left
 *  out even while their adapter is off. */
export function shownChannel(record: ChannelRecord, adapter: Adapter | undefined): ChannelRecord {
  const names = secretNames(adapter)
  const setting = parseSetting(record.setting)
  const hidden = Object.keys(setting).filter(
    (name) => names.includes(name) || isSealed(setting[name]),
  )
  if (hidden.length === 0) return record
  const rest: JsonObject = Object.fromEntries(
    Object.entries(setting).filter(([name]) => !hidden.includes(name)),
  )
  return {
    ...record,
    setting: Object.keys(rest).length === 0 ? '' : JSON.stringify(rest),
    setting_secrets: hidden.filter((name) => setting[name] !== ''),
  }
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && !value.trim())
}

function isSealed(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(SEALED)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
