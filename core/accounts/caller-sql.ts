import type { DatabaseService } from '../contract/services.ts'
import type { UserRow } from '../data/models/user.ts'

/** What the guards need to know about an account; read again at least every few seconds. */
export type CallerRow = Pick<
  UserRow,
  'id' | 'username' | 'role' | 'status' | 'group' | 'access_token'
>

export type StoredCaller = CallerRow & Pick<UserRow, 'access_token_expires_at'>

const columns = 'id, username, role, status, "group", access_token, access_token_expires_at'

/** Runs for every console call whose caller is not cached. Live accounts only. */
export async function selectCaller(
  database: DatabaseService,
  column: 'id' | 'access_token',
  value: number | string,
): Promise<StoredCaller | undefined> {
  const [row] = await database.select<StoredCaller>(
    `SELECT ${columns} FROM users WHERE ${column} = :value AND deleted_at IS NULL`,
    { value },
  )
  return row
}
