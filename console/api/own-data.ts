// What several screens read of the person in front; the answers are shared (use-data.ts).
import type { TokenRecord, UserRecord } from '#core'
import { type Data, type DataOptions, useData } from './use-data.ts'

/** `GET /api/user/self`. */
export type OwnAccount = UserRecord & { has_password: boolean }

export function useOwnAccount(options?: DataOptions): Data<OwnAccount> {
  return useData<OwnAccount>('/api/user/self', options)
}

/** A row of `GET /api/token/`; its key comes without `sk-`. */
export type OwnToken = Omit<TokenRecord, 'user_id' | 'DeletedAt'>

/** The first hundred. */
export function useOwnTokens(options?: Omit<DataOptions, 'query'>): Data<OwnToken[]> {
  return useData<OwnToken[]>('/api/token/', { ...options, query: { p: 0, size: 100 } })
}
