import { requireSeen, type PageQuery, type PluginServices } from '#core'
import { editedRow, type Maker, madeRow } from './code-log.ts'
import {
  codeChanged,
  codeDisabled,
  countRange,
  expiryPast,
  nameLength,
  onlyUnused,
  quotaRange,
  recordUnknown,
  statusUnknown,
} from './code-errors.ts'
import {
  hideCode,
  insertCode,
  selectCode,
  selectCodes,
  updateCode,
  updateStatus,
} from './codes-sql.ts'
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
type WritingServices = CodeServices & Pick<PluginServices, 'logs'>

const CODE_LENGTH = 32

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
  const found = await selectCodes(
    database,
    { word: keyword.trim(), status, now: nowSeconds() },
    { limit: pageSize, offset: (page - 1) * pageSize },
  )
  return { items: found.rows.map((row) => shown(secrets, row)), total: found.total }
}

/** @throws redemptions.unknown */
export async function findCode(
  { database, secrets }: CodeServices,
  id: number,
): Promise<Redemption> {
  const row = await selectCode(database, id)
  if (!row) throw recordUnknown()
  return shown(secrets, row)
}

/** All or none, with a row in the log of who made them. @returns the codes in clear, in order
 *  @throws redemptions.name_length, redemptions.quota_range, redemptions.count_range, redemptions.expiry_past */
export async function createCodes(
  { database, logs, secrets }: WritingServices,
  caller: Maker,
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
      await insertCode(
        database,
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
    await logs.writeIn(madeRow(caller, { name, quota, count }), transaction)
  })
  return codes
}

/** Fields that are absent keep their values. @throws redemptions.unknown, .only_unused, .disabled, .changed and the faults of `createCodes` */
export async function editCode(
  services: WritingServices,
  caller: Maker,
  body: CodeBody,
): Promise<Redemption> {
  const old = await findCode(services, body.id)
  if (body.shown && !isAsShown(old, body.shown)) throw codeChanged()
  const name = body.name === undefined || body.name === null ? old.name : checkedName(body.name)
  const quota =
    body.quota === undefined || body.quota === null ? old.quota : checkedQuota(body.quota)
  const isSameExpiry =
    body.expired_time === undefined ||
    body.expired_time === null ||
    body.expired_time === old.expired_time
  const expiredTime = isSameExpiry ? old.expired_time : checkedExpiry(body.expired_time)
  const written = { id: body.id, name, quota, expiredTime }
  if (!(await updateCode(services.database, written, old))) {
    const { status } = await findCode(services, body.id)
    if (status === codeStatus.used) throw onlyUnused()
    throw status === codeStatus.disabled ? codeDisabled() : codeChanged()
  }
  if (quota !== old.quota) services.logs.write(editedRow(caller, old, quota))
  return findCode(services, body.id)
}

type Editable = Pick<Redemption, 'name' | 'quota' | 'expired_time'>

function isAsShown(code: Editable, shown: Editable): boolean {
  const { name, quota, expired_time } = shown
  return code.name === name && code.quota === quota && code.expired_time === expired_time
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
  if (!(await updateStatus(services.database, id, status))) throw onlyUnused()
  return findCode(services, id)
}

/** The row is kept for `ledger verify`, but the code can no longer be redeemed. @throws redemptions.unknown */
export async function removeCode({ database }: CodeServices, id: number): Promise<void> {
  if (!(await hideCode(database, id, nowSeconds()))) throw recordUnknown()
}

function checkedName(text: string): string {
  const name = text.trim()
  const { length } = Array.from(name)
  if (length < 1 || length > LONGEST_NAME)
    throw nameLength({ max: LONGEST_NAME }, { field: 'name' })
  return requireSeen(name, 'name')
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
  return { ...row, key: secrets.decrypt(row.key), count: 0, DeletedAt: null }
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
