// How many rows of two values there are, and what they cost: of a customer's million rows the page of one model is found soon, and counting them
// read them all. Blocks of ids are counted by the job that sums the log; what no block has, and what is in a block of which rows were deleted, is
// read.
import type { UsageLogQuery } from '../contract/money-services.ts'
import type { DatabaseService, TransactionStatements } from '../contract/services.ts'
import { idsInside, idSpan, isSpend, type TimeSpan } from './log-quarters-sql.ts'
import type { Asked, OwnerKind, SubjectKind } from './log-pairs-sql.ts'

/** Two values that rows have in common. */
export interface Met {
  kind: OwnerKind
  owner: number
  subject: SubjectKind
  subjects: readonly string[]
}

/** Rows of the log, and which two values they have in common. */
interface MetFilter {
  met: Met
  where: string
  replacements: Record<string, unknown>
}

/** What is asked for beside the two values; of which type and time is for the reader of the pairs to see. */
const others = ['tokenName', 'tokenId'] as const satisfies readonly (keyof UsageLogQuery)[]

/** @param isOfOwner whether the name that was asked for is that of all rows of its owner */
export function metOf(
  query: UsageLogQuery,
  { user, channel, models, group }: Asked,
  isOfOwner: boolean,
): Met | undefined {
  if (!isOfOwner || others.some((name) => query[name] !== undefined)) return undefined
  if (query.modelName !== undefined && models === undefined) return undefined
  if (query.username !== undefined && user === undefined) return undefined
  const partners: Omit<Met, 'kind' | 'owner'>[] = []
  if (models !== undefined) partners.push({ subject: 'model', subjects: models })
  if (group !== undefined) partners.push({ subject: 'group', subjects: [group] })
  if (user !== undefined && channel !== undefined)
    partners.push({ subject: 'channel', subjects: [String(channel)] })
  const [partner] = partners
  if (partner === undefined || partners.length > 1) return undefined
  if (user !== undefined) return { kind: 'user', owner: user, ...partner }
  return channel === undefined ? undefined : { kind: 'channel', owner: channel, ...partner }
}

interface Paired {
  /** Up to which row the owner's pairs are known. */
  paired: number
  /** From which row on blocks are trusted. */
  whole: number
}

/**
 * Up to where it is known of an owner how many rows of two values there are, or what they cost.
 * @param upTo the place of that knowledge, which counts where it is as far as that of the pairs
 * @returns undefined as `known` where nothing is; `owner` asks for the same in another statement, with these `values`
 */
async function pairedOf(
  database: DatabaseService,
  { kind, owner: metOwner }: Met,
  upTo: 'counted_id' | 'spent_id',
): Promise<{ owner: string; values: Record<string, unknown>; known: Paired | undefined }> {
  const owner = `paired_id AS paired, (SELECT whole_from FROM log_progress WHERE id = 1) AS whole
     FROM log_owners WHERE kind = :metKind AND owner = :metOwner AND ${upTo} = paired_id`
  const values = { metKind: kind, metOwner }
  const [known] = await database.select<Paired>(`SELECT ${owner} AND paired_id > 0`, values)
  return { owner, values, known }
}

/**
 * Counts matches up to one more than `most`, in one statement: what is counted and what is not moves on meanwhile. Numbers are said beside what
 * they are read from, for PostgreSQL knows only of them how few rows follow.
 * @param block of how many ids rows were counted together
 * @returns undefined where nothing is counted
 */
export async function countMet(
  database: DatabaseService,
  { met, where, replacements }: MetFilter,
  { most, block }: { most: number; block: number },
): Promise<number | undefined> {
  const { owner, values, known } = await pairedOf(database, met, 'counted_id')
  if (known === undefined) return undefined
  const first = Math.ceil(known.whole / block) * block
  if (known.paired < first) return undefined
  const counted = `SELECT CAST(COALESCE(SUM(row_count), 0) AS BIGINT) FROM log_pairs
    WHERE owner_kind = :metKind AND owner = :metOwner AND kind = :metSubject AND subject IN (:metSubjects) AND block >= :metFirst`
  const rest = (ids: string) =>
    `SELECT COUNT(*) FROM (SELECT 1 FROM logs ${where} AND ${ids} LIMIT ${most + 1}) AS rest`
  const [found] = await database.select<Paired & { rows: number }>(
    `SELECT (${counted}) + (${rest(`id > :metPaired`)}) + (${rest(`id < :metFirst`)}) AS rows,
       ${owner}`,
    {
      ...replacements,
      ...values,
      metSubject: met.subject,
      metSubjects: met.subjects,
      metPaired: known.paired,
      metFirst: first,
    },
  )
  // Another statement has moved on meanwhile.
  if (found?.paired !== known.paired || found.whole !== known.whole) return undefined
  return Math.min(found.rows, most + 1)
}

/**
 * What rows of two values cost, in one statement: of blocks that lie in the span as a whole it is known, of the rest it is read.
 * @param filter of consumption, without the span
 * @returns undefined where no block is known
 */
export async function sumMet(
  database: DatabaseService,
  { met, where, replacements }: MetFilter,
  { start = 0, end = Number.MAX_SAFE_INTEGER, block }: TimeSpan & { block: number },
): Promise<number | undefined> {
  const { owner, values, known } = await pairedOf(database, met, 'spent_id')
  if (known === undefined) return undefined
  // Read after what is paired, of which it knows all.
  const inside = await idsInside(database, { start, end })
  const first = Math.ceil(Math.max(known.whole, inside.first) / block) * block
  const behind = Math.floor((Math.min(known.paired, inside.last) + 1) / block) * block
  const span = await idSpan(database, { start, end })
  if (first >= behind || span === undefined) return undefined
  const sum = (of: string) => `(SELECT CAST(COALESCE(SUM(quota), 0) AS BIGINT) FROM ${of})`
  const rest = `logs ${where} AND ${isSpend} AND created_at >= :metStart AND created_at <= :metEnd`
  const pairs = `log_pairs WHERE owner_kind = :metKind AND owner = :metOwner AND kind = :metSubject
    AND subject IN (:metSubjects) AND block >= :metFirst AND block < :metBehind`
  const [found] = await database.select<Paired & { quota: number }>(
    `SELECT ${sum(pairs)} + ${sum(`${rest} AND id >= :metOldest AND id < :metFirst`)}
         + ${sum(`${rest} AND id >= :metBehind AND id <= :metNewest`)} AS quota,
       ${owner}`,
    {
      ...replacements,
      ...values,
      metSubject: met.subject,
      metSubjects: met.subjects,
      metStart: start,
      metEnd: end,
      metFirst: first,
      metBehind: behind,
      metOldest: span.first,
      metNewest: span.last ?? Number.MAX_SAFE_INTEGER,
    },
  )
  // Another statement has moved on meanwhile.
  const isSame = found?.paired === known.paired && found.whole === known.whole
  return isSame ? found.quota : undefined
}

/** In the transaction that deletes rows up to this id: blocks in which some of them were are not trusted any more. */
export async function noteDeleted(statements: TransactionStatements, to: number): Promise<void> {
  await statements.run(
    'UPDATE log_progress SET whole_from = CAST(:to AS BIGINT) + 1 WHERE whole_from <= :to',
    { to },
  )
}
