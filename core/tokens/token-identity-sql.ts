import type { DatabaseService } from '../contract/services.ts'
import type { TokenRow } from '../data/models/token.ts'
import type { UserRow } from '../data/models/user.ts'
import type { TokenState } from './token-row.ts'

/** A live token with its live owner. */
export interface IdentityRow
  extends TokenState,
    Pick<TokenRow, 'id' | 'name' | 'model_limits' | 'allow_ips'>,
    Pick<UserRow, 'username' | 'role' | 'setting'> {
  model_limits_enabled: boolean | 0 | 1
  token_group: TokenRow['group']
  user_id: UserRow['id']
  user_group: UserRow['group']
  user_status: UserRow['status']
}

const statement = `
  SELECT t.id, t.name, t.status, t.expired_time, t.remain_quota, t.unlimited_quota,
    t.model_limits_enabled, t.model_limits, t.allow_ips, t."group" AS token_group,
    u.id AS user_id, u.username, u."group" AS user_group, u.role, u.status AS user_status, u.setting
  FROM tokens t JOIN users u ON u.id = t.user_id
  WHERE t.key_hash = :hash AND t.deleted_at IS NULL AND u.deleted_at IS NULL`

/** On the way of a call: one statement for both. */
export async function selectIdentity(
  database: DatabaseService,
  hash: string,
): Promise<IdentityRow | undefined> {
  const [row] = await database.select<IdentityRow>(statement, { hash })
  return row
}
