// Remembers which models, groups, channels, tokens and names occur in the rows of a busy customer or channel, and in
// which blocks of ids. A pair says where rows may be, not that there are any: it stays when its rows are deleted. Every
// question also looks at rows that the job has not paired yet (`log-pair-filter-sql.ts`). The count and sum of a pair
// are right as long as none of its rows is deleted (`log-pair-counts-sql.ts`).
import type { DatabaseService, TransactionStatements } from '../contract/services.ts'
import { manyRowsFrom } from '../data/named-values.ts'
import { isSpend, lockProgress } from './log-quarters-sql.ts'

const owners = { user: 'user_id', channel: 'channel_id' } as const
export type OwnerKind = keyof typeof owners
const subjects = {
  model: 'model_name',
  group: '"group"',
  channel: 'CAST(channel_id AS TEXT)',
  token: 'token_name',
  /** Asked for beside the id of a customer whose rows have several names. */
  name: 'username',
} as const
export type SubjectKind = keyof typeof subjects
export const subjectsOf = {
  user: ['model', 'group', 'channel', 'token', 'name'],
  channel: ['model', 'group'],
} as const satisfies Record<OwnerKind, readonly SubjectKind[]>

const PAIRED_AT_ONCE = { first: 1_000, least: 500, most: 3_000 }

export interface PairLimits {
  /** Rows that are quickly walked: owners with fewer rows get no pairs. */
  fewRows: number
  /** How many new rows may stay unpaired; every question looks at them. */
  fewNew: number
  /** How many ids share one piece. */
  block: number
}
export const LIMITS: PairLimits = { fewRows: 10_000, fewNew: 1_000, block: 262_144 }

export interface Owner {
  kind: OwnerKind
  owner: number
}

/** Rows that are being summed, grouped by all of their values and the block of their ids. */
export interface GroupedRows {
  user: number
  channel: number
  model: string
  group: string
  token: string
  name: string
  block: number
  rows: number
  /** Of consumption only. */
  quota: number
  first_id: number
  last_id: number
}

/** Pairs the rows of busy owners with the groups that the sums were made from. Owners with older unpaired rows, or only
 *  a few new ones, are left to `pairNewLogs`. */
export async function pairSummed(
  statements: TransactionStatements,
  grouped: readonly GroupedRows[],
  { last, to, limits: { fewRows, fewNew } }: { last: number; to: number; limits: PairLimits },
): Promise<void> {
  for (const kind of ['user', 'channel'] as const) {
    const counts = new Map<number, number>()
    for (const row of grouped) counts.set(row[kind], (counts.get(row[kind]) ?? 0) + row.rows)
    const many = [...counts].flatMap(([owner, rows]) => (rows >= fewNew ? [owner] : []))
    if (many.length === 0) continue
    const looked = { kind, owners: many, fewRows, last, to }
    const known = await statements.select<Owner>(
      `SELECT kind, owner FROM log_owners WHERE kind = :kind AND owner IN (:owners) AND row_count >= :fewRows AND paired_id = :last`,
      looked,
    )
    for (const owner of known) {
      const ofOwner = grouped.filter((row) => row[kind] === owner.owner)
      await addPairs(statements, owner, ofOwner.map(ownerRowsOf))
    }
    if (known.length === 0) continue
    await statements.run(
      `UPDATE log_owners SET paired_id = :to, paired_count = row_count
       WHERE kind = :kind AND owner IN (:owners) AND row_count >= :fewRows AND paired_id = :last`,
      looked,
    )
  }
}

function ownerRowsOf({ channel, ...row }: GroupedRows): OwnerRows {
  return { ...row, channel: String(channel) }
}

/** Pairs the new rows of busy owners. */
export async function pairNewLogs(
  database: DatabaseService,
  {
    signal,
    limits = LIMITS,
  }: { signal?: AbortSignal | undefined; limits?: PairLimits | undefined },
): Promise<void> {
  const { fewRows, fewNew, block } = limits
  const busy = await database.select<Owner>(
    'SELECT kind, owner FROM log_owners WHERE row_count >= :fewRows AND row_count - paired_count >= :fewNew',
    { fewRows, fewNew },
  )
  for (const owner of busy) {
    const slices = database.slices(PAIRED_AT_ONCE)
    for (let isMore = true; isMore && !signal?.aborted; ) {
      const slice = { ...owner, limit: slices.rows, block }
      isMore = await slices.take((statements) => pairNext(statements, slice))
    }
  }
}

/** @returns whether more rows are left */
async function pairNext(
  statements: TransactionStatements,
  { kind, owner, limit, block }: Owner & { limit: number; block: number },
): Promise<boolean> {
  const { last_id: summed } = await lockProgress(statements)
  const [known] = await statements.select<{ paired_id: number }>(
    'SELECT paired_id FROM log_owners WHERE kind = :kind AND owner = :owner',
    { kind, owner },
  )
  if (known === undefined) return false
  const values = { owner, from: known.paired_id, summed, limit }
  const [slice] = await statements.select<{ id: number | null; rows: number }>(
    `SELECT MAX(id) AS id, COUNT(*) AS rows FROM (
       SELECT id FROM logs WHERE ${owners[kind]} = :owner AND id > :from AND id <= :summed ORDER BY id LIMIT :limit
     ) AS slice`,
    values,
  )
  const isMore = slice !== undefined && slice.rows === limit
  const to = isMore ? (slice.id ?? summed) : summed
  const rows = await ownerRows(statements, { ...values, kind, to, size: block })
  await addPairs(statements, { kind, owner }, rows)
  await statements.run(
    `UPDATE log_owners SET paired_id = :to, paired_count = ${isMore ? 'paired_count' : 'row_count'}
     WHERE kind = :kind AND owner = :owner`,
    { to, kind, owner },
  )
  return isMore
}

type OwnerRows = Record<SubjectKind, string> & {
  block: number
  rows: number
  quota: number
  first_id: number
  last_id: number
}

/** The rows of a slice, grouped by all subjects. Reads each row once. */
async function ownerRows(
  statements: TransactionStatements,
  { kind, ...values }: { kind: OwnerKind; owner: number; from: number; to: number; size: number },
): Promise<OwnerRows[]> {
  const columns = Object.entries(subjects).map(([subject, column]) => `${column} AS "${subject}"`)
  return statements.select<OwnerRows>(
    `SELECT ${columns.join(', ')}, id - id % :size AS block, COUNT(*) AS rows,
       CAST(SUM(CASE WHEN ${isSpend} THEN quota ELSE 0 END) AS BIGINT) AS quota, MIN(id) AS first_id, MAX(id) AS last_id
     FROM logs WHERE ${owners[kind]} = :owner AND id > :from AND id <= :to GROUP BY 1, 2, 3, 4, 5, 6`,
    values,
  )
}

const pairColumns = {
  kind: 'text',
  subject: 'text',
  block: 'bigint',
  rows: 'bigint',
  quota: 'bigint',
  first_id: 'bigint',
  last_id: 'bigint',
} as const
type Pair = { kind: SubjectKind; subject: string } & Omit<OwnerRows, SubjectKind>

/** The pairs that rows of an owner make, one for each subject and block. */
function pairsOf(kind: OwnerKind, rows: readonly OwnerRows[]): Pair[] {
  const pairs = new Map<string, Pair>()
  for (const row of rows) {
    const { block, first_id, last_id } = row
    if (block < 0) continue
    for (const subjectKind of subjectsOf[kind]) {
      const subject = row[subjectKind]
      const name = `${subjectKind} ${block} ${subject}`
      const none = { kind: subjectKind, subject, block, rows: 0, quota: 0, first_id, last_id }
      const pair = pairs.get(name) ?? none
      pair.rows += row.rows
      pair.quota += row.quota
      pair.first_id = Math.min(pair.first_id, first_id)
      pair.last_id = Math.max(pair.last_id, last_id)
      pairs.set(name, pair)
    }
  }
  return [...pairs.values()]
}

async function addPairs(
  statements: TransactionStatements,
  { kind, owner }: Owner,
  rows: readonly OwnerRows[],
): Promise<void> {
  const pairs = pairsOf(kind, rows)
  if (pairs.length === 0) return
  const { from, values } = manyRowsFrom(statements.dialect, 'pair', pairColumns, pairs)
  await statements.run(
    `INSERT INTO log_pairs (owner_kind, owner, kind, subject, block, row_count, quota, first_id, last_id)
     SELECT '${kind}', CAST(:owner AS BIGINT), kind, subject, block, rows, quota, first_id, last_id FROM ${from} WHERE TRUE
     ON CONFLICT (owner_kind, owner, kind, subject, block) DO UPDATE SET
       row_count = log_pairs.row_count + excluded.row_count, quota = log_pairs.quota + excluded.quota,
       first_id = CASE WHEN excluded.first_id < log_pairs.first_id THEN excluded.first_id ELSE log_pairs.first_id END,
       last_id = CASE WHEN excluded.last_id > log_pairs.last_id THEN excluded.last_id ELSE log_pairs.last_id END`,
    { ...values, owner },
  )
}

/** SQLite reuses the ids of deleted newest rows: rows that get these ids later have not been paired. */
export async function forgetPairsBehind(
  statements: TransactionStatements,
  lastId: number,
): Promise<void> {
  await statements.run(
    'UPDATE log_owners SET paired_id = :lastId WHERE paired_id > 0 AND paired_id > :lastId',
    { lastId },
  )
}

/** Drops the pairs of blocks before the oldest row. */
export async function dropPairs(database: DatabaseService, firstId: number): Promise<void> {
  const paired = await database.select<Owner>(
    'SELECT kind, owner FROM log_owners WHERE paired_id > 0',
  )
  for (const owner of paired) {
    await database.run(
      'DELETE FROM log_pairs WHERE owner_kind = :kind AND owner = :owner AND last_id < :firstId',
      { ...owner, firstId },
    )
  }
}
