import type { Caller, PageQuery, PluginServices } from '#core'
import {
  countRange,
  expiryPast,
  nameLength,
  onlyUnused,
  quotaRange,
  recordUnknown,
  statusUnknown,
} from './code-errors.ts'
import {
  type CodeBody,
  codeStatus,
  LONGEST_NAME,
  MOST_CODES,
  MOST_UNITS,
  type NewCodesBody,
  type Redemption,
} from './schema.ts'

export type CodeServices = Pick<PluginServices, 'database' | 'secrets'>

const CODE_LENGTH = 32
const columns =
  'id, user_id, name, key, status, quota, created_time, expired_time, redeemed_time, used_user_id'

export interface CodeFilter {
  keyword: string
  status?: string | undefined
}

/** Newest first. A keyword is the beginning of the name, or the id. */
export async function listCodes(
  { database, secrets }: CodeServices,
  { keyword, status }: CodeFilter,
  { page, pageSize }: PageQuery,
): Promise<{ items: Redemption[]; total: number }> {
  const word = keyword.trim()
  const isId = /^\d{1,15}$/.test(word)
  const values = {
    pattern: `${word.replace(/[!%_]/g, '!$&')}%`,
    id: isId ? Number(word) : 0,
    status: Number(status) || 0,
    now: nowSeconds(),
  }
  const where = [
    'deleted_time = 0',
    ...(word === '' ? [] : [`(LOWER(name) LIKE LOWER(:pattern) ESCAPE '!' OR id = :id)`]),
    ...statusCondition(status),
  ].join(' AND ')
  const [count] = await database.select<{ total: number }>(
    `SELECT COUNT(*) AS total FROM redemptions__codes WHERE ${where}`,
    values,
  )
  const rows = await database.select<Redemption>(
    `SELECT ${columns} FROM redemptions__codes WHERE ${where}
     ORDER BY id DESC LIMIT :limit OFFSET :offset`,
    { ...values, limit: pageSize, offset: (page - 1) * pageSize },
  )
  return { items: rows.map((row) => shown(secrets, row)), total: count?.total ?? 0 }
}

/** What has expired is neither unused nor, when it was switched off before, disabled. */
function statusCondition(status: string | undefined): string[] {
  const isPast = 'expired_time > 0 AND expired_time <= :now'
  if (status === undefined) return []
  if (status === 'expired') return [`status <> ${codeStatus.used}`, isPast]
  if (Number(status) === codeStatus.used) return ['status = :status']
  return ['status = :status', `NOT (${isPast})`]
}

/** @throws redemptions.unknown */
export async function findCode(
  { database, secrets }: CodeServices,
  id: number,
): Promise<Redemption> {
  const [row] = await database.select<Redemption>(
    `SELECT ${columns} FROM redemptions__codes WHERE id = :id AND deleted_time = 0`,
    { id },
  )
  if (!row) throw recordUnknown()
  return shown(secrets, row)
}

/** All or none. @returns the codes in clear, in order
 *  @throws redemptions.name_length, redemptions.quota_range, redemptions.count_range, redemptions.expiry_past */
export async function createCodes(
  { database, secrets }: CodeServices,
  caller: Pick<Caller, 'id'>,
  body: NewCodesBody,
): Promise<string[]> {
  const name = checkedName(body.name)
  const quota = checkedQuota(body.quota)
  const count = Number(body.count ?? 1)
  if (!(count >= 1 && count <= MOST_CODES))
    throw countRange({ max: MOST_CODES }, { field: 'count' })
  const expiredTime = checkedExpiry(body.expired_time)
  const codes = Array.from({ length: count }, () => secrets.random(CODE_LENGTH, '0123456789abcdef'))
  await database.transaction(async (transaction) => {
    for (const code of codes) {
      await database.run(
        `INSERT INTO redemptions__codes (user_id, name, key, key_hash, quota, created_time, expired_time)
         VALUES (:userId, :name, :key, :hash, :quota, :now, :expiredTime)`,
        {
          userId: caller.id,
          name,
          key: secrets.encrypt(code),
          hash: secrets.lookup('redemption', code),
          quota,
          now: nowSeconds(),
          expiredTime,
        },
        transaction,
      )
    }
  })
  return codes
}

/** What is not sent stays. @throws redemptions.unknown, redemptions.only_unused and the faults of `createCodes` */
export async function editCode(services: CodeServices, body: CodeBody): Promise<Redemption> {
  const old = await findCode(services, body.id)
  const name = body.name === undefined || body.name === null ? old.name : checkedName(body.name)
  const quota =
    body.quota === undefined || body.quota === null ? old.quota : checkedQuota(body.quota)
  const isSameExpiry =
    body.expired_time === undefined ||
    body.expired_time === null ||
    body.expired_time === old.expired_time
  const expiredTime = isSameExpiry ? old.expired_time : checkedExpiry(body.expired_time)
  const changed = await services.database.run(
    `UPDATE redemptions__codes SET name = :name, quota = :quota, expired_time = :expiredTime
     WHERE id = :id AND deleted_time = 0 AND status <> ${codeStatus.used}`,
    { id: body.id, name, quota, expiredTime },
  )
  if (changed !== 1) throw onlyUnused()
  return findCode(services, body.id)
}

/** @throws redemptions.status, redemptions.unknown, redemptions.only_unused */
export async function switchCode(
  services: CodeServices,
  id: number,
  status: number | null | undefined,
): Promise<Redemption> {
  if (status !== codeStatus.unused && status !== codeStatus.disabled)
    throw statusUnknown({}, { field: 'status' })
  await findCode(services, id)
  const changed = await services.database.run(
    `UPDATE redemptions__codes SET status = :status
     WHERE id = :id AND deleted_time = 0 AND status <> ${codeStatus.used}`,
    { id, status },
  )
  if (changed !== 1) throw onlyUnused()
  return findCode(services, id)
}

/** The row stays for the books; nobody can redeem it any more. @throws redemptions.unknown */
export async function removeCode({ database }: CodeServices, id: number): Promise<void> {
  const removed = await database.run(
    'UPDATE redemptions__codes SET deleted_time = :now WHERE id = :id AND deleted_time = 0',
    { id, now: nowSeconds() },
  )
  if (removed !== 1) throw recordUnknown()
}

function checkedName(text: string): string {
  const name = text.trim()
  const { length } = Array.from(name)
  if (length < 1 || length > LONGEST_NAME)
    throw nameLength({ max: LONGEST_NAME }, { field: 'name' })
  return name
}

function checkedQuota(value: number | string): number {
  const quota = Number(value)
  if (!Number.isSafeInteger(quota) || quota < 1 || quota > MOST_UNITS)
    throw quotaRange({}, { field: 'quota' })
  return quota
}

function checkedExpiry(seconds: number | null | undefined): number {
  if (seconds === undefined || seconds === null || seconds <= 0) return 0
  if (seconds <= nowSeconds()) throw expiryPast({}, { field: 'expired_time' })
  return seconds
}

function shown(secrets: CodeServices['secrets'], row: Redemption): Redemption {
  return { ...row, key: secrets.decrypt(row.key), count: 0 }
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
