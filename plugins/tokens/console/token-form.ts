import { splitList } from '#console'
import type { Token } from '../schema.ts'

/** Of a name, in characters; the server refuses longer ones. */
export const longestName = 30

/** Each call of such a token takes the first of the option AutoGroups that serves its model. */
export const automaticGroup = 'auto'

/** The values of the form. */
export interface TokenForm {
  name: string
  count: number
  group: string
  /** In Unix seconds; undefined means never. */
  expired_time: number | undefined
  remain_quota: number
  unlimited_quota: boolean
  models: string[]
  allow_ips: string
}

export function emptyForm(quotaPerUnit: number, group = ''): TokenForm {
  return {
    name: '',
    count: 1,
    group,
    expired_time: undefined,
    remain_quota: quotaPerUnit,
    unlimited_quota: false,
    models: [],
    allow_ips: '',
  }
}

export function formOf(token: Token): TokenForm {
  return {
    name: token.name,
    count: 1,
    group: token.group,
    expired_time: token.expired_time > 0 ? token.expired_time : undefined,
    remain_quota: token.remain_quota,
    unlimited_quota: token.unlimited_quota,
    models: token.model_limits_enabled ? splitList(token.model_limits) : [],
    allow_ips: token.allow_ips ?? '',
  }
}

/** The body of a create or update call. */
export function bodyOf(form: TokenForm) {
  const models = form.models ?? []
  return {
    name: form.name.trim(),
    group: form.group ?? '',
    expired_time: form.expired_time ?? -1,
    remain_quota: form.remain_quota ?? 0,
    unlimited_quota: form.unlimited_quota ?? false,
    model_limits_enabled: models.length > 0,
    model_limits: models.join(','),
    allow_ips: splitList(form.allow_ips, /[\s,]+/).join('\n'),
  }
}

/** What the form was opened with. An edit writes every field, so it is refused if another one came in between. */
export function shownOf(token: Token) {
  const { name, group, expired_time, unlimited_quota, allow_ips } = token
  const { model_limits_enabled, model_limits } = token
  const limits = { unlimited_quota, model_limits_enabled, model_limits, allow_ips }
  return { name, group, expired_time, ...limits }
}

const suffixLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const suffixLength = 6

/** The first token keeps the name, the others get `-XXXXXX`. A long name is shortened for the suffix. */
export function batchNames(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    if (index === 0) return name
    const room = longestName - suffixLength - 1
    return `${Array.from(name).slice(0, room).join('')}-${randomSuffix()}`
  })
}

function randomSuffix(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(suffixLength))
  return Array.from(bytes, (byte) => suffixLetters[byte % suffixLetters.length]).join('')
}
