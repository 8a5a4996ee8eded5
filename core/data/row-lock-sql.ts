import type { DatabaseService } from '../contract/services.ts'

/** Ends a SELECT whose rows nobody else may change before the transaction is over. SQLite, which has one writer, knows no such words. */
export function rowLock({ dialect }: Pick<DatabaseService, 'dialect'>): string {
  return dialect === 'postgres' ? 'FOR UPDATE' : ''
}
