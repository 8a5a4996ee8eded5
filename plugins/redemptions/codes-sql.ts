import type { DatabaseService, Transaction } from '#core'
import { codeStatus, type Redemption } from './schema.ts'

const columns =
  'id, user_id, name, key, status, quota, created_time, expired_time, redeemed_time, used_user_id'

interface Search {
  /** The beginning of the name, or the id. */
  word: string
  status?: string | undefined
  now: number
}

/** Newest first. The offset skips ids only, which is faster than skipping whole rows. */
export async function selectCodes(
  database: DatabaseService,
  { word, status, now }: Search,
  page: { limit: number; offset: number },
): Promise<{ rows: Redemption[]; total: number }> {
  const id = /^\d{1,15}$/.test(word) ? Number(word) : undefined
  const values = { word, end: LAST_SIGN, id, status: Number(status) || 0, now }
  const where = [
    'deleted_time = 0',
    ...(word === '' ? [] : [wordCondition(database.dialect, id !== undefined)]),
    ...statusCondition(status),
  ].join(' AND ')
  const [count] = await database.select<{ total: number }>(
    `SELECT COUNT(*) AS total FROM redemptions__codes WHERE ${where}`,
    values,
  )
  const rows = await database.select<Redemption>(
    `SELECT ${columns} FROM redemptions__codes WHERE id IN (
       SELECT id FROM redemptions__codes WHERE ${where} ORDER BY id DESC LIMIT :limit OFFSET :offset
     ) ORDER BY id DESC`,
    { ...values, ...page },
  )
  return { rows, total: count?.total ?? 0 }
}

/** The highest character: every text that begins with a word sorts before the word followed by it. */
const LAST_SIGN = '\u{10FFFF}'

/** A range of the index on names, which ignores letter case and sorts by code point. */
function wordCondition(dialect: DatabaseService['dialect'], isId: boolean): string {
  const name = dialect === 'postgres' ? '(LOWER(name) COLLATE "C")' : 'LOWER(name)'
  const begins = `${name} >= LOWER(:word) AND ${name} < LOWER(:word) || :end`
  return isId ? `(${begins} OR id = :id)` : begins
}

/** An expired code counts as neither unused nor disabled, whatever its status. */
function statusCondition(status: string | undefined): string[] {
  const isPast = 'expired_time > 0 AND expired_time <= :now'
  if (status === undefined) return []
  if (status === 'expired') return [`status <> ${codeStatus.used}`, isPast]
  if (Number(status) === codeStatus.used) return ['status = :status']
  return ['status = :status', `NOT (${isPast})`]
}

export async function selectCode(
  database: DatabaseService,
  id: number,
): Promise<Redemption | undefined> {
  const [row] = await database.select<Redemption>(
    `SELECT ${columns} FROM redemptions__codes WHERE id = :id AND deleted_time = 0`,
    { id },
  )
  return row
}

interface NewCode {
  userId: number
  name: string
  /** The encrypted code, and the HMAC by which it is found. */
  key: string
  hash: string
  quota: number
  now: number
  expiredTime: number
  /** Unused where it is left out. */
  status?: number
}

export async function insertCode(
  database: DatabaseService,
  code: NewCode,
  transaction: Transaction,
): Promise<void> {
  await database.run(
    `INSERT INTO redemptions__codes (user_id, name, key, key_hash, status, quota, created_time, expired_time)
     VALUES (:userId, :name, :key, :hash, :status, :quota, :now, :expiredTime)`,
    { status: codeStatus.unused, ...code },
    transaction,
  )
}

const open = `id = :id AND deleted_time = 0 AND status <> ${codeStatus.used}`

/** @returns false for one that was used, disabled, changed or removed meanwhile */
export async function updateCode(
  database: DatabaseService,
  code: { id: number; name: string; quota: number; expiredTime: number },
  old: Pick<Redemption, 'name' | 'quota' | 'expired_time'>,
): Promise<boolean> {
  const changed = await database.run(
    `UPDATE redemptions__codes SET name = :name, quota = :quota, expired_time = :expiredTime
     WHERE ${open} AND status = ${codeStatus.unused} AND name = :oldName AND quota = :oldQuota AND expired_time = :oldExpiredTime`,
    { ...code, oldName: old.name, oldQuota: old.quota, oldExpiredTime: old.expired_time },
  )
  return changed === 1
}

/** @returns false for one that was used or removed meanwhile */
export async function updateStatus(
  database: DatabaseService,
  id: number,
  status: number,
): Promise<boolean> {
  const changed = await database.run(
    `UPDATE redemptions__codes SET status = :status WHERE ${open}`,
    { id, status },
  )
  return changed === 1
}

export async function hideCode(
  database: DatabaseService,
  id: number,
  now: number,
): Promise<boolean> {
  const removed = await database.run(
    'UPDATE redemptions__codes SET deleted_time = :now WHERE id = :id AND deleted_time = 0',
    { id, now },
  )
  return removed === 1
}

/** Redeems the code. Only one of any number of parallel calls, on any number of nodes, succeeds. */
export async function takeCode(
  database: DatabaseService,
  values: { hash: string; userId: number; now: number },
  transaction: Transaction,
): Promise<{ id: number; quota: number } | undefined> {
  const [code] = await database.select<{ id: number; quota: number }>(
    `UPDATE redemptions__codes SET status = ${codeStatus.used}, redeemed_time = :now, used_user_id = :userId
     WHERE key_hash = :hash AND status = ${codeStatus.unused} AND deleted_time = 0
       AND (expired_time = 0 OR expired_time > :now)
     RETURNING id, quota`,
    values,
    transaction,
  )
  return code
}

export async function codeByHash(
  database: DatabaseService,
  hash: string,
): Promise<{ status: number; expired_time: number } | undefined> {
  const [code] = await database.select<{ status: number; expired_time: number }>(
    'SELECT status, expired_time FROM redemptions__codes WHERE key_hash = :hash AND deleted_time = 0',
    { hash },
  )
  return code
}
