import type { TokenRecord } from '../contract/services.ts'

/** In seconds since 1970. */
const beforeAnyExpiry = 0

export const tokenStatus = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const

/** A row of table `tokens`: the key sealed, flags as the driver gives them. */
export interface TokenRow
  extends Omit<TokenRecord, 'unlimited_quota' | 'model_limits_enabled' | 'DeletedAt'> {
  /** Sealed by SecretService. */
  key: string
  unlimited_quota: boolean | 0 | 1
  model_limits_enabled: boolean | 0 | 1
}

const columns: readonly (keyof TokenRow)[] = [
  'id',
  'user_id',
  'key',
  'status',
  'name',
  'created_time',
  'accessed_time',
  'expired_time',
  'remain_quota',
  'unlimited_quota',
  'model_limits_enabled',
  'model_limits',
  'allow_ips',
  'used_quota',
  'group',
]

export const selectTokens = `SELECT ${columns.map((column) => `"${column}"`).join(', ')} FROM tokens`

/** The row as its owner sees it now, key in clear. */
export function toTokenRecord(row: TokenRow, key: string, nowSeconds: number): TokenRecord {
  return {
    ...row,
    key,
    status: statusShown(row, nowSeconds),
    unlimited_quota: Boolean(row.unlimited_quota),
    model_limits_enabled: Boolean(row.model_limits_enabled),
    DeletedAt: null,
  }
}

/** The part of a token that decides whether it may be used now. */
export interface TokenState {
  status: number
  expired_time: number
  remain_quota: number
  unlimited_quota: boolean | 0 | 1
}

/** The status that a token has at this moment: expired and exhausted come by themselves, and expired goes with a later date. */
export function statusNow(token: TokenState, nowSeconds: number): number {
  if (token.status !== tokenStatus.enabled && token.status !== tokenStatus.expired)
    return token.status
  if (token.expired_time !== -1 && token.expired_time < nowSeconds) return tokenStatus.expired
  if (!token.unlimited_quota && token.remain_quota <= 0) return tokenStatus.exhausted
  return tokenStatus.enabled
}

/** The status as the owner sees it: a token that never had quota shows as used up only after a use that found it so. */
export function statusShown(token: TokenState, nowSeconds: number): number {
  return statusNow({ ...token, unlimited_quota: true }, nowSeconds)
}

/** The status to store. Expired is never stored: one node whose clock runs ahead would switch the token off for all, and for good. */
export function statusToStore(token: TokenState): number {
  return statusNow(token, beforeAnyExpiry)
}
