// What the values of core's options must be beyond their schemas.
import { stepOption } from '../billing/prices/default-prices.ts'
import { areSorted } from '../billing/prices/price-steps.ts'
import type { Text } from '../contract/errors.ts'
import type { PriceStep } from '../contract/prices.ts'
import { hasUnseen } from '../contract/seen-text.ts'
import { webAddressFault } from '../contract/web-address.ts'
import { checkModelHeaders, type ModelHeaders } from './model-headers.ts'

/** @returns what is wrong */
type Check = (value: unknown, key: string) => Text | undefined

const checks: ReadonlyMap<string, readonly Check[]> = new Map([
  ['GroupRatio', [checkDefaultGroup, checkGroupNames]],
  ['UserUsableGroups', [checkGroupNames]],
  ['TopupGroupRatio', [checkGroupNames]],
  [stepOption, [checkSteps]],
  ['payment_setting.amount_discount', [checkAmounts]],
  ['AutomaticRetryStatusCodes', [checkStatusRanges]],
  ['claude.default_max_tokens', [checkDefaultTokens]],
  ['claude.model_headers_settings', [(value) => checkModelHeaders(value as ModelHeaders)]],
  ['Logo', [checkLogo]],
  ['ServerAddress', [checkAddress, checkBeforePaths]],
  ['CustomCallbackAddress', [checkAddress, checkBeforePaths]],
  ['WorkerUrl', [checkAddress]],
  ['general_setting.docs_link', [checkLink]],
  ['general_setting.monitor_link', [checkLink]],
  ['general_setting.token_query_link', [checkLink]],
])

export function checkCoreOption(key: string, value: unknown): Text | undefined {
  for (const check of checks.get(key) ?? []) {
    const fault = check(value, key)
    if (fault) return fault
  }
  return undefined
}

function checkDefaultGroup(value: unknown): Text | undefined {
  if ('default' in (value as object)) return undefined
  return { en: 'GroupRatio needs the group "default"', zh: 'GroupRatio 需要分组 "default"' }
}

function checkGroupNames(value: unknown, key: string): Text | undefined {
  if (!Object.keys(value as object).some(hasUnseen)) return undefined
  return {
    en: `${key}: the name of a group contains a character that cannot be seen`,
    zh: `${key} 的分组名包含不可见的字符`,
  }
}

function checkSteps(value: unknown): Text | undefined {
  const models = Object.entries(value as Record<string, readonly PriceStep[]>)
  const [model] = models.find(([, steps]) => !areSorted(steps)) ?? []
  if (model === undefined) return undefined
  return {
    en: `${stepOption} wants the steps of ${model} in the order of "above", each once`,
    zh: `${stepOption} 中 ${model} 的阶梯应按 "above" 从小到大排列且不重复`,
  }
}

function checkAmounts(value: unknown, key: string): Text | undefined {
  if (Object.keys(value as object).every((amount) => /^[1-9]\d{0,8}$/.test(amount)))
    return undefined
  return {
    en: `${key}: the keys must be amounts, such as {"100": 0.95}`,
    zh: `${key} 的键应为充值数量，例如 {"100": 0.95}`,
  }
}

function checkStatusRanges(value: unknown): Text | undefined {
  if (isStatusRanges(String(value))) return undefined
  return {
    en: 'AutomaticRetryStatusCodes must be ranges such as 401-407,500',
    zh: 'AutomaticRetryStatusCodes 应为如 401-407,500 的范围',
  }
}

function isStatusRanges(text: string): boolean {
  if (text.trim() === '') return true
  return text.split(',').every((range) => {
    const [, from = '', to = from] = /^([1-5]\d\d)(?:-([1-5]\d\d))?$/.exec(range.trim()) ?? []
    return from !== '' && from <= to
  })
}

function checkDefaultTokens(value: unknown): Text | undefined {
  if ('default' in (value as object)) return undefined
  return {
    en: 'claude.default_max_tokens needs the key "default"',
    zh: 'claude.default_max_tokens 需要键 "default"',
  }
}

/** What the console's content policy lets a browser show: an address without TLS would be an empty place. */
function checkLogo(value: unknown): Text | undefined {
  const logo = String(value)
  const isShown = /^https:\/\//i.test(logo)
    ? URL.canParse(logo)
    : /^(?:data:image\/|\/(?!\/))/i.test(logo)
  if (logo === '' || isShown) return undefined
  return {
    en: 'Logo must be an address that starts with https://, a path of this site (/logo.png) or a picture as data:image/…',
    zh: 'Logo 必须是以 https:// 开头的地址、本站路径（/logo.png）或 data:image/… 形式的图片',
  }
}

function checkAddress(value: unknown, key: string): Text | undefined {
  return webAddressFault(key, String(value))
}

/** For addresses that the gateway puts before its own paths. */
function checkBeforePaths(value: unknown, key: string): Text | undefined {
  if (!/[?#]/.test(String(value))) return undefined
  return {
    en: `${key} may hold no ? and no #: paths are put behind it`,
    zh: `${key} 不能包含 ? 或 #，因为其后会拼接路径`,
  }
}

/** For links that the browsers of all users follow: http(s) or a path of this site, because another protocol could run a script. */
function checkLink(value: unknown, key: string): Text | undefined {
  return /^\/(?!\/)/.test(String(value)) ? undefined : checkAddress(value, key)
}
