import type { Transaction } from 'sequelize'
import type { DatabaseService } from '../contract/services.ts'
import type { UserRecord } from '../contract/account-services.ts'
import { publicSetting } from './user-settings.ts'

/** A row of `users`; quota columns in units. */
export interface UserRow {
  id: number
  username: string
  password: string
  display_name: string
  role: number
  status: number
  email: string
  github_id: string
  oidc_id: string
  wechat_id: string
  telegram_id: string
  linux_do_id: string
  quota: number
  used_quota: number
  request_count: number
  group: string
  aff_code: string | null
  aff_count: number
  aff_quota: number
  aff_history_quota: number
  inviter_id: number
  setting: string
  /** Text on SQLite. */
  deleted_at: Date | string | null
}

export const PROVIDER_COLUMNS: ReadonlySet<string> = new Set([
  'github_id',
  'oidc_id',
  'wechat_id',
  'telegram_id',
  'linux_do_id',
])

const COLUMNS = `id, username, password, display_name, role, status, email, github_id, oidc_id,
  wechat_id, telegram_id, linux_do_id, quota, used_quota, request_count, "group", aff_code,
  aff_count, aff_quota, aff_history_quota, inviter_id, setting, deleted_at`

export function selectUsers(
  database: DatabaseService,
  clauses: string,
  values: Record<string, unknown> = {},
  transaction?: Transaction,
): Promise<UserRow[]> {
  return database.select<UserRow>(`SELECT ${COLUMNS} FROM users ${clauses}`, values, transaction)
}

export async function countUsers(
  database: DatabaseService,
  clauses: string,
  values: Record<string, unknown> = {},
): Promise<number> {
  const sql = `SELECT COUNT(*) AS total FROM users ${clauses}`
  const [row] = await database.select<{ total: number }>(sql, values)
  return row?.total ?? 0
}

/** The clause of a search and its values: `%` and `_` are taken literally, letter case does not matter. */
export function searchClause(query: { keyword: string; group: string }): {
  clause: string
  values: Record<string, unknown>
} {
  const conditions: string[] = []
  const values: Record<string, unknown> = {}
  const keyword = query.keyword.trim().replaceAll('\0', '')
  if (keyword !== '') {
    const like = ['username', 'email', 'display_name'].map(
      (column) => `LOWER(${column}) LIKE LOWER(:pattern) ESCAPE '!'`,
    )
    values.pattern = `%${keyword.replace(/[!%_]/g, '!$&')}%`
    if (isWholeId(keyword)) {
      like.push('id = :id')
      values.id = Number(keyword)
    }
    conditions.push(`(${like.join(' OR ')})`)
  }
  if (query.group !== '') {
    conditions.push('"group" = :group')
    values.group = query.group
  }
  return {
    clause: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`,
    values,
  }
}

function isWholeId(text: string): boolean {
  return /^\d+$/.test(text) && Number.isSafeInteger(Number(text))
}

/** The record for the wire: no password, no access token, no webhook secret. */
export function toRecord(row: UserRow): UserRecord {
  const { deleted_at: deletedAt, aff_code: affCode, ...rest } = row
  return {
    ...rest,
    password: '',
    verification_code: '',
    access_token: null,
    aff_code: affCode ?? '',
    setting: publicSetting(row.setting),
    DeletedAt: deletedAt === null ? null : new Date(deletedAt).toISOString(),
  }
}
