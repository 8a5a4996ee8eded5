import { tokenStatus } from '../contract/constants.ts'
import type { TokenRecord, TokenRow } from '../data/models/token.ts'

/** In seconds since 1970. */
const beforeAnyExpiry = 0

/** The row as its owner sees it now, key in clear. */
export function toTokenRecord(row: TokenRow, key: string, nowSeconds: number): TokenRecord {
  const { key_hash: _hash, leased: _leased, deleted_at: _deletedAt, ...shown } = row
  return {
    ...shown,
    key,
    status: statusShown(row, nowSeconds),
    shown_remain_quota: row.remain_quota,
    DeletedAt: null,
  }
}

/** The part of a token that decides whether it may be used now. */
export interface TokenState extends Pick<TokenRow, 'status' | 'expired_time' | 'remain_quota'> {
  /** 0 and 1 where SQLite gave it to a raw statement. */
  unlimited_quota: boolean | 0 | 1
}

/** The status at this moment. Expired and exhausted come about by themselves; expired also ends when the expiry is moved. */
export function statusNow(token: TokenState, nowSeconds: number): number {
  if (token.status !== tokenStatus.enabled && token.status !== tokenStatus.expired)
    return token.status
  if (token.expired_time !== -1 && token.expired_time < nowSeconds) return tokenStatus.expired
  if (!token.unlimited_quota && token.remain_quota <= 0) return tokenStatus.exhausted
  return tokenStatus.enabled
}

/** The status that the owner sees: a token that never had quota is shown as exhausted only after a call has failed because of it. */
export function statusShown(token: TokenState, nowSeconds: number): number {
  return statusNow({ ...token, unlimited_quota: true }, nowSeconds)
}

/** The status to store. Expired is never stored: a node whose clock runs ahead would otherwise disable the token for
 *  all nodes, permanently. */
export function statusToStore(token: TokenState): number {
  return statusNow(token, beforeAnyExpiry)
}
