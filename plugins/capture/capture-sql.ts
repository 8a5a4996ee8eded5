import type { DatabaseService, Transaction } from '#core'
import type { CallEntry, SubjectBody, SubjectKind } from './schema.ts'

interface SubjectRow extends SubjectBody {
  created_by: string
  created_at: number
}

export function selectSubjects(database: DatabaseService): Promise<SubjectRow[]> {
  return database.select<SubjectRow>(
    'SELECT kind, id, created_by, created_at FROM capture__subjects ORDER BY created_at DESC, id DESC',
  )
}

/** @returns false if it exists already, or the limit is reached */
export async function insertSubject(
  database: DatabaseService,
  subject: SubjectRow & { most: number },
): Promise<boolean> {
  const made = await database.run(
    `INSERT INTO capture__subjects (kind, id, created_by, created_at)
     SELECT :kind, :id, :created_by, :created_at WHERE (SELECT COUNT(*) FROM capture__subjects) < :most
     ON CONFLICT (kind, id) DO NOTHING`,
    { ...subject },
  )
  return made === 1
}

export async function deleteSubject(
  database: DatabaseService,
  { kind, id }: { kind: SubjectKind; id: number },
): Promise<boolean> {
  return (
    (await database.run('DELETE FROM capture__subjects WHERE kind = :kind AND id = :id', {
      kind,
      id,
    })) === 1
  )
}

export interface NewCall extends Omit<CallEntry, 'id' | 'is_cut'> {
  is_cut: number
  sealed: string
}

export async function insertCall(
  database: DatabaseService,
  call: NewCall,
  transaction: Transaction,
): Promise<void> {
  await database.run(
    `INSERT INTO capture__calls (created_at, user_id, token_id, model, operation, status, request_id, size, is_cut, sealed)
     VALUES (:created_at, :user_id, :token_id, :model, :operation, :status, :request_id, :size, :is_cut, :sealed)`,
    { ...call },
    transaction,
  )
}

export interface CallFilter {
  userId: number | undefined
  tokenId: number | undefined
  model: string
  start: number | undefined
  end: number | undefined
}

const columns =
  'id, created_at, user_id, token_id, model, operation, status, request_id, size, is_cut'

type CallRow = Omit<CallEntry, 'is_cut'> & { is_cut: number }

function conditionOf({ userId, tokenId, model, start, end }: CallFilter): {
  where: string
  values: Record<string, unknown>
} {
  const parts = [
    ...(userId === undefined ? [] : ['user_id = :userId']),
    ...(tokenId === undefined ? [] : ['token_id = :tokenId']),
    ...(model === '' ? [] : ['model = :model']),
    ...(start === undefined ? [] : ['created_at >= :start']),
    ...(end === undefined ? [] : ['created_at <= :end']),
  ]
  return {
    where: parts.length === 0 ? 'id > 0' : parts.join(' AND '),
    values: { userId, tokenId, model, start, end },
  }
}

/** Newest first, without the texts. */
export async function selectCalls(
  database: DatabaseService,
  filter: CallFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: CallRow[]; total: number }> {
  const { where, values } = conditionOf(filter)
  const [count] = await database.select<{ total: number }>(
    `SELECT COUNT(*) AS total FROM capture__calls WHERE ${where}`,
    values,
  )
  const rows = await database.select<CallRow>(
    `SELECT ${columns} FROM capture__calls WHERE ${where} ORDER BY id DESC LIMIT :limit OFFSET :offset`,
    { ...values, ...page },
  )
  return { rows, total: count?.total ?? 0 }
}

/** Calls below an id, newest first, with their texts. */
export function selectSealed(
  database: DatabaseService,
  filter: CallFilter,
  { below, limit }: { below: number; limit: number },
): Promise<(CallRow & { sealed: string })[]> {
  const { where, values } = conditionOf(filter)
  return database.select<CallRow & { sealed: string }>(
    `SELECT ${columns}, sealed FROM capture__calls WHERE ${where} AND id < :below ORDER BY id DESC LIMIT :limit`,
    { ...values, below, limit },
  )
}

export async function selectCall(
  database: DatabaseService,
  id: number,
): Promise<(CallRow & { sealed: string }) | undefined> {
  const [row] = await database.select<CallRow & { sealed: string }>(
    `SELECT ${columns}, sealed FROM capture__calls WHERE id = :id`,
    { id },
  )
  return row
}

export async function deleteCalls(
  database: DatabaseService,
  ids: readonly number[],
  transaction: Transaction,
): Promise<number> {
  let deleted = 0
  for (const id of ids)
    deleted += await database.run('DELETE FROM capture__calls WHERE id = :id', { id }, transaction)
  return deleted
}

/** @returns how many were deleted */
export function deleteCallsOf(
  database: DatabaseService,
  userId: number,
  limit: number,
): Promise<number> {
  return database.run(
    'DELETE FROM capture__calls WHERE id IN (SELECT id FROM capture__calls WHERE user_id = :userId LIMIT :limit)',
    { userId, limit },
  )
}

/** @returns how many were deleted */
export function deleteCallsBefore(
  database: DatabaseService,
  time: number,
  limit: number,
): Promise<number> {
  return database.run(
    'DELETE FROM capture__calls WHERE id IN (SELECT id FROM capture__calls WHERE created_at < :time ORDER BY id LIMIT :limit)',
    { time, limit },
  )
}

/** Deletes calls of deleted accounts, which a running call or another node may have stored after the deletion. @returns
 *  how many were deleted */
export function deleteOrphans(database: DatabaseService, limit: number): Promise<number> {
  return database.run(
    `DELETE FROM capture__calls WHERE id IN (
       SELECT calls.id FROM users JOIN capture__calls calls ON calls.user_id = users.id
       WHERE users.deleted_at IS NOT NULL LIMIT :limit)`,
    { limit },
  )
}

/** @returns how many were deleted */
export function deleteOldest(database: DatabaseService, limit: number): Promise<number> {
  return database.run(
    'DELETE FROM capture__calls WHERE id IN (SELECT id FROM capture__calls ORDER BY id LIMIT :limit)',
    { limit },
  )
}

export async function totalSize(database: DatabaseService): Promise<number> {
  const [row] = await database.select<{ size: number | string | null }>(
    'SELECT SUM(size) AS size FROM capture__calls',
  )
  return Number(row?.size ?? 0)
}
