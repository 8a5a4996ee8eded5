// Counts the rows that have two given values, and sums what they cost. Among a customer's million rows a page for one
// model is found quickly, but counting them would read them all. The job that sums the log counts them by blocks of
// ids; only what no block covers, and blocks in which rows were deleted, is read.
import { logType } from '../contract/constants.ts'
import type { DatabaseService, TransactionStatements } from '../contract/services.ts'
import { idsInside, idSpan, isSpend, type TimeSpan } from './log-quarters-sql.ts'
import { fewFirst, type LogFilter } from './log-filters-sql.ts'
import { ownersOf, type Partner, partnersOf } from './log-pair-filter-sql.ts'
import type { Owner } from './log-pairs-sql.ts'
import type { LogQuestion } from './log-question-sql.ts'

/** Lists each type, because a condition on a single type makes PostgreSQL and SQLite choose the index of type and owner. */
const otherTypes = Object.values(logType).filter((type) => type !== logType.consume)
const isOther = `type <> ${logType.consume} AND type IN (${otherTypes.join(', ')})`

/** An owner and a value that a question asks for together. */
export interface AskedPair extends Owner, Partner {}

/** A filter, and the pair that it asks for. */
interface PairRows extends Pick<LogFilter, 'where' | 'replacements' | 'order' | 'isOfIndex'> {
  pair: AskedPair
}

/** The pair of a question that asks for an owner and one other value, and nothing else. */
export function pairOf(question: LogQuestion): AskedPair | undefined {
  const [owner] = ownersOf(question)
  if (owner === undefined || question.tokenId !== undefined) return undefined
  const isUser = owner.kind === 'user'
  if (!isUser && (question.users !== undefined || question.token !== undefined)) return undefined
  const [partner, another] = partnersOf(question, owner.kind)
  return partner === undefined || another !== undefined ? undefined : { ...owner, ...partner }
}

/** Counts matches up to one more than `most`, in one statement, because the border between counted and uncounted rows
 *  may move between two. The ids are passed as values too: PostgreSQL plans by them and then knows how few rows follow.
 *  @param filter without type and span
 *  @param ofConsumption count consumption only. Blocks count all types; the others are few, have indexes of their own,
 *  and are subtracted
 *  @param block how many ids were counted together
 *  @returns undefined if no block is known */
export async function countPair(
  database: DatabaseService,
  { pair, ...filter }: PairRows,
  {
    most,
    ofConsumption,
    ...span
  }: TimeSpan & { most: number; ofConsumption: boolean; block: number },
): Promise<number | undefined> {
  const known = await knownBlocks(database, pair, span)
  if (known === undefined) return undefined
  const counted = `SELECT CAST(COALESCE(SUM(row_count), 0) AS BIGINT) FROM ${blocks}`
  const others = `SELECT COUNT(*) FROM logs ${filter.where} AND ${isOther} AND id >= :pairFirst AND id < :pairBehind`
  const ofType = ofConsumption ? `type = ${logType.consume}` : 'TRUE'
  const found = await fewFirst(filter, `LIMIT ${most + 1}`, async (limit) => {
    const rest = (ids: string) =>
      `SELECT COUNT(*) FROM (SELECT 1 FROM logs ${filter.where} AND ${ofType} AND ${known.isInSpan} AND ${ids} ${limit}) AS rest`
    const [answer] = await database.select<Found & Rest & { counted: number }>(
      `SELECT (${counted}) ${ofConsumption ? `- (${others})` : ''} AS counted, (${rest(older)}) AS older, (${rest(newer)}) AS newer, ${progress}
       FROM log_owners WHERE ${isOwner}`,
      { ...filter.replacements, ...known.values },
    )
    return answer && { found: answer, rows: Math.max(answer.older, answer.newer) }
  })
  if (!isSame(found, known)) return undefined
  return Math.min(found.counted + found.older + found.newer, most + 1)
}

/** Sums what the rows of a pair cost, in one statement: blocks that lie completely in the span are known, the rest is
 *  read.
 *  @param filter without type and span
 *  @returns undefined if no block is known */
export async function sumPair(
  database: DatabaseService,
  { pair, ...filter }: PairRows,
  span: TimeSpan & { block: number },
): Promise<number | undefined> {
  const known = await knownBlocks(database, pair, span)
  if (known === undefined) return undefined
  const sum = 'CAST(COALESCE(SUM(quota), 0) AS BIGINT)'
  const found = await fewFirst(filter, '', async (limit) => {
    const rest = (ids: string) =>
      `SELECT ${sum} AS quota, COUNT(*) AS count FROM (
         SELECT quota FROM logs ${filter.where} AND ${isSpend} AND ${known.isInSpan} AND ${ids} ${limit}
       ) AS rest`
    const [answer] = await database.select<Found & Rest & { quota: number }>(
      `SELECT (SELECT ${sum} FROM ${blocks}) + older.quota + newer.quota AS quota, older.count AS older, newer.count AS newer, ${progress}
       FROM log_owners, (${rest(older)}) AS older, (${rest(newer)}) AS newer WHERE ${isOwner}`,
      { ...filter.replacements, ...known.values },
    )
    return answer && { found: answer, rows: Math.max(answer.older, answer.newer) }
  })
  return isSame(found, known) ? found.quota : undefined
}

/** How many rows beside the blocks were found. */
interface Rest {
  older: number
  newer: number
}

interface Found {
  paired: number
  whole: number
}

interface KnownBlocks extends Found {
  isInSpan: string
  values: Record<string, unknown>
}

const isOwner = 'kind = :pairKind AND owner = :pairOwner AND paired_id > 0'
const progress = `paired_id AS paired, (SELECT whole_from FROM log_progress WHERE id = 1) AS whole`
const blocks = `log_pairs WHERE owner_kind = :pairKind AND owner = :pairOwner AND kind = :pairSubject
  AND subject IN (:pairSubjects) AND block >= :pairFirst AND block < :pairBehind`
const older = 'id >= :pairOldest AND id < :pairFirst'
const newer = 'id >= :pairBehind AND id <= :pairNewest'

/** The blocks that lie completely in the span, and the ids of the rest. */
async function knownBlocks(
  database: DatabaseService,
  pair: AskedPair,
  { start, end, block }: TimeSpan & { block: number },
): Promise<KnownBlocks | undefined> {
  const owner = { pairKind: pair.kind, pairOwner: pair.owner }
  const [known] = await database.select<Found>(
    `SELECT ${progress} FROM log_owners WHERE ${isOwner}`,
    owner,
  )
  if (known === undefined) return undefined
  const isWhole = start === undefined && end === undefined
  const all = { first: 0, last: Number.MAX_SAFE_INTEGER }
  const times = { start: start ?? 0, end: end ?? Number.MAX_SAFE_INTEGER }
  // Must be read after `paired_id`, so that it covers all of those rows.
  const inside = isWhole ? all : await idsInside(database, times)
  const span = isWhole ? all : await idSpan(database, times)
  const first = Math.ceil(Math.max(known.whole, inside.first) / block) * block
  // The counts of the newest block include rows up to `paired_id` only.
  const isNewest = inside.last >= known.paired
  const behind = isNewest ? known.paired + 1 : Math.floor((inside.last + 1) / block) * block
  if (first >= behind || span === undefined) return undefined
  const newest = span.last ?? Number.MAX_SAFE_INTEGER
  return {
    ...known,
    isInSpan: isWhole ? 'TRUE' : 'created_at >= :pairStart AND created_at <= :pairEnd',
    values: {
      ...owner,
      pairSubject: pair.subject,
      pairSubjects: pair.subjects,
      pairStart: times.start,
      pairEnd: times.end,
      pairFirst: first,
      pairBehind: behind,
      pairOldest: span.first,
      pairNewest: newest,
    },
  }
}

/** False if the job has moved on between the two queries. */
function isSame<Answer extends Found>(found: Answer | undefined, known: Found): found is Answer {
  return found?.paired === known.paired && found.whole === known.whole
}

/** Called in the transaction that deletes rows up to this id: blocks that contained some of them are not trusted any more. */
export async function noteDeleted(statements: TransactionStatements, to: number): Promise<void> {
  await statements.run(
    'UPDATE log_progress SET whole_from = CAST(:to AS BIGINT) + 1 WHERE whole_from <= :to',
    { to },
  )
}
