// How many rows of two values there are, and what they cost: of a customer's million rows the page of one model is found soon, and counting them
// read them all. Blocks of ids are counted by the job that sums the log; what no block has, and what is in a block of which rows were deleted, is
// read.
import { logType } from '../contract/constants.ts'
import type { DatabaseService, TransactionStatements } from '../contract/services.ts'
import { idsInside, idSpan, isSpend, type TimeSpan } from './log-quarters-sql.ts'
import { ownersOf, type Partner, partnersOf } from './log-pair-filter-sql.ts'
import type { Owner } from './log-pairs-sql.ts'
import type { Asked } from './log-question-sql.ts'

/** Each said, for of one type PostgreSQL and SQLite take the index of type and owner. */
const otherTypes = Object.values(logType).filter((type) => type !== logType.consume)
const isOther = `type <> ${logType.consume} AND type IN (${otherTypes.join(', ')})`

/** Two values that rows have in common. */
export interface Met extends Owner, Partner {}

/** Rows of the log, and which two values they have in common. */
interface MetFilter {
  met: Met
  where: string
  replacements: Record<string, unknown>
}

/** Where two values are asked for and nothing else. */
export function metOf(asked: Asked): Met | undefined {
  const [owner] = ownersOf(asked)
  if (owner === undefined || asked.tokenId !== undefined) return undefined
  const isUser = owner.kind === 'user'
  if (!isUser && (asked.users !== undefined || asked.token !== undefined)) return undefined
  const [partner, another] = partnersOf(asked, owner.kind)
  return partner === undefined || another !== undefined ? undefined : { ...owner, ...partner }
}

/**
 * Counts matches up to one more than `most`, in one statement: what is counted and what is not moves on meanwhile. Numbers are said beside what
 * they are read from, for PostgreSQL knows only of them how few rows follow.
 * @param filter without type and span
 * @param ofConsumption not of what else is among the two: blocks know nothing of types, and all others are few and have indexes of their own
 * @param block of how many ids rows were counted together
 * @returns undefined where no block is known
 */
export async function countMet(
  database: DatabaseService,
  { met, where, replacements }: MetFilter,
  {
    most,
    ofConsumption,
    ...span
  }: TimeSpan & { most: number; ofConsumption: boolean; block: number },
): Promise<number | undefined> {
  const known = await knownBlocks(database, met, span)
  if (known === undefined) return undefined
  const counted = `SELECT CAST(COALESCE(SUM(row_count), 0) AS BIGINT) FROM ${blocks}`
  const others = `SELECT COUNT(*) FROM logs ${where} AND ${isOther} AND id >= :metFirst AND id < :metBehind`
  const ofType = ofConsumption ? `AND type = ${logType.consume}` : ''
  const rest = (ids: string) =>
    `SELECT COUNT(*) FROM (SELECT 1 FROM logs ${where} ${ofType} AND ${known.isInSpan} AND ${ids} LIMIT ${most + 1}) AS rest`
  const [found] = await database.select<Found & { rows: number }>(
    `SELECT (${counted}) ${ofConsumption ? `- (${others})` : ''} + (${rest(older)}) + (${rest(newer)}) AS rows, ${progress}
     FROM log_owners WHERE ${isOwner}`,
    { ...replacements, ...known.values },
  )
  return isSame(found, known) ? Math.min(found.rows, most + 1) : undefined
}

/**
 * What rows of two values cost, in one statement: of blocks that lie in the span as a whole it is known, of the rest it is read.
 * @param filter without type and span
 * @returns undefined where no block is known
 */
export async function sumMet(
  database: DatabaseService,
  { met, where, replacements }: MetFilter,
  span: TimeSpan & { block: number },
): Promise<number | undefined> {
  const known = await knownBlocks(database, met, span)
  if (known === undefined) return undefined
  const sum = (of: string) => `(SELECT CAST(COALESCE(SUM(quota), 0) AS BIGINT) FROM ${of})`
  const rest = (ids: string) => `logs ${where} AND ${isSpend} AND ${known.isInSpan} AND ${ids}`
  const [found] = await database.select<Found & { quota: number }>(
    `SELECT ${sum(blocks)} + ${sum(rest(older))} + ${sum(rest(newer))} AS quota, ${progress} FROM log_owners WHERE ${isOwner}`,
    { ...replacements, ...known.values },
  )
  return isSame(found, known) ? found.quota : undefined
}

interface Found {
  paired: number
  whole: number
}

interface KnownBlocks extends Found {
  isInSpan: string
  values: Record<string, unknown>
}

const isOwner = 'kind = :metKind AND owner = :metOwner AND paired_id > 0'
const progress = `paired_id AS paired, (SELECT whole_from FROM log_progress WHERE id = 1) AS whole`
const blocks = `log_pairs WHERE owner_kind = :metKind AND owner = :metOwner AND kind = :metSubject
  AND subject IN (:metSubjects) AND block >= :metFirst AND block < :metBehind`
const older = 'id >= :metOldest AND id < :metFirst'
const newer = 'id >= :metBehind AND id <= :metNewest'

/** Blocks that lie in the span as a whole, and where the rest of it is. */
async function knownBlocks(
  database: DatabaseService,
  met: Met,
  { start, end, block }: TimeSpan & { block: number },
): Promise<KnownBlocks | undefined> {
  const owner = { metKind: met.kind, metOwner: met.owner }
  const [known] = await database.select<Found>(
    `SELECT ${progress} FROM log_owners WHERE ${isOwner}`,
    owner,
  )
  if (known === undefined) return undefined
  const isWhole = start === undefined && end === undefined
  const all = { first: 0, last: Number.MAX_SAFE_INTEGER }
  const times = { start: start ?? 0, end: end ?? Number.MAX_SAFE_INTEGER }
  // Read after what is paired, of which it knows all.
  const inside = isWhole ? all : await idsInside(database, times)
  const span = isWhole ? all : await idSpan(database, times)
  const first = Math.ceil(Math.max(known.whole, inside.first) / block) * block
  // What is known of the newest block is true up to the last row that was looked at.
  const isNewest = inside.last >= known.paired
  const behind = isNewest ? known.paired + 1 : Math.floor((inside.last + 1) / block) * block
  if (first >= behind || span === undefined) return undefined
  const newest = span.last ?? Number.MAX_SAFE_INTEGER
  return {
    ...known,
    isInSpan: isWhole ? 'TRUE' : 'created_at >= :metStart AND created_at <= :metEnd',
    values: {
      ...owner,
      metSubject: met.subject,
      metSubjects: met.subjects,
      metStart: times.start,
      metEnd: times.end,
      metFirst: first,
      metBehind: behind,
      metOldest: span.first,
      metNewest: newest,
    },
  }
}

/** False where another statement has moved on meanwhile. */
function isSame<Answer extends Found>(found: Answer | undefined, known: Found): found is Answer {
  return found?.paired === known.paired && found.whole === known.whole
}

/** In the transaction that deletes rows up to this id: blocks in which some of them were are not trusted any more. */
export async function noteDeleted(statements: TransactionStatements, to: number): Promise<void> {
  await statements.run(
    'UPDATE log_progress SET whole_from = CAST(:to AS BIGINT) + 1 WHERE whole_from <= :to',
    { to },
  )
}
