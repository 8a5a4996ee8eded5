// Limits a page that asks for two values to the pieces of the log in which a busy customer or channel has rows with the
// other value (`log-pairs-sql.ts`), and to the newest rows.
import type { DatabaseService } from '../contract/services.ts'
import { type Owner, type OwnerKind, type SubjectKind, subjectsOf } from './log-pairs-sql.ts'
import { ID_SLACK } from './log-quarters-sql.ts'
import type { LogQuestion } from './log-question-sql.ts'

/** The most pieces that one statement searches. */
const MOST_PIECES = 20
/** The largest part of the log that the pieces may make up. Beyond it, walking the log in the order of the page finds
 *  the rows as quickly. */
const MOST_PART = 0.1
const MOST_SUBJECTS = 100

export interface PairFilter {
  conditions: string[]
  values: Record<string, number>
}

/** The ids between which rows with both values may lie, for each pair that the question asks for. */
export async function pairFilter(
  database: DatabaseService,
  question: LogQuestion,
): Promise<PairFilter> {
  const filter: PairFilter = { conditions: [], values: {} }
  for (const { kind, owner } of ownersOf(question)) {
    const partners = partnersOf(question, kind).filter(
      ({ subjects }) => subjects.length <= MOST_SUBJECTS,
    )
    if (partners.length === 0) continue
    const [known] = await database.select<{ paired_id: number }>(
      'SELECT paired_id FROM log_owners WHERE kind = :kind AND owner = :owner AND paired_id > 0',
      { kind, owner },
    )
    if (known === undefined) continue
    for (const partner of partners) {
      const pieces = await piecesOf(database, { kind, owner, ...partner })
      addPieces(filter, pieces, Math.max(0, known.paired_id - ID_SLACK), database.dialect)
    }
  }
  return filter
}

/** The owners whose pairs may be known. A customer's come first, because they know more kinds of values. */
export function ownersOf({ users, channel }: LogQuestion): Owner[] {
  const [user, another] = users ?? []
  return [
    ...(user === undefined || another !== undefined
      ? []
      : [{ kind: 'user' as const, owner: user }]),
    ...(channel === undefined ? [] : [{ kind: 'channel' as const, owner: channel }]),
  ]
}

/** A value of a question beside an owner of this kind. */
export interface Partner {
  subject: SubjectKind
  subjects: readonly string[]
}

export function partnersOf(question: LogQuestion, kind: OwnerKind): Partner[] {
  const { models, group, channel, token, name } = question
  const values = {
    model: models,
    group: group === undefined ? undefined : [group],
    channel: channel === undefined ? undefined : [String(channel)],
    token: token === undefined ? undefined : [token],
    name: name === undefined ? undefined : [name],
  }
  return subjectsOf[kind].flatMap((subject) => {
    const subjects = values[subject]
    return subjects === undefined ? [] : [{ subject, subjects }]
  })
}

interface Piece {
  first_id: number
  last_id: number
}

async function piecesOf(database: DatabaseService, pair: Owner & Partner): Promise<Piece[]> {
  return database.select<Piece>(
    `SELECT MIN(first_id) AS first_id, MAX(last_id) AS last_id FROM log_pairs
     WHERE owner_kind = :kind AND owner = :owner AND kind = :subject AND subject IN (:subjects)
     GROUP BY block LIMIT ${MOST_PIECES + 1}`,
    { ...pair },
  )
}

function addPieces(
  { conditions, values }: PairFilter,
  pieces: readonly Piece[],
  pairedId: number,
  dialect: DatabaseService['dialect'],
): void {
  const ids = pieces.reduce((sum, { first_id, last_id }) => sum + last_id - first_id + 1, 0)
  if (pieces.length > MOST_PIECES || ids > MOST_PART * pairedId) return
  const name = `pair${conditions.length}`
  values[`${name}Paired`] = pairedId
  if (pieces.length === 0) return void conditions.push(`id > :${name}Paired`)
  // The plus sign keeps SQLite from looking up each piece by its id, among the rows of all owners.
  const id = dialect === 'sqlite' ? '+id' : 'id'
  const either = pieces.map(({ first_id, last_id }, at) => {
    values[`${name}First${at}`] = first_id
    values[`${name}Last${at}`] = last_id
    return `${id} BETWEEN :${name}First${at} AND :${name}Last${at}`
  })
  conditions.push(`(${[`${id} > :${name}Paired`, ...either].join(' OR ')})`)
}
