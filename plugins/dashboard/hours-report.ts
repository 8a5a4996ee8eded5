import { type DatabaseService, selectMany } from '#core'
import { HOUR_SECONDS, THIRD_SECONDS } from './add-hours-sql.ts'
import { type Span, type Step, type Summed, sumsOfAll } from './all-hours-sql.ts'
import { hoursOfModels } from './model-hours-sql.ts'
import { OTHER_MODELS, type DataRow } from './schema.ts'
import { namedSums, sumColumns, sumList } from './sums-sql.ts'
import { summedThirds, sumsOfUser } from './user-hours-sql.ts'

export interface HoursQuery extends Span {
  userId?: number | undefined
  username?: string | undefined
  /** An hour, where it is left out. */
  step?: Step | undefined
}

export interface Hours {
  rows: DataRow[]
  /** The number of models, where not each of them has rows of its own. */
  modelCount?: number
}

/** The most rows of an answer: more would hold up the event loop while they are serialised. The models beyond that
 *  are one series. */
const mostRows = 20_000
/** The models that have rows of their own in any case: as many as a screen shows. */
const fewestModels = 6

const hourColumns = ['user_id', 'username', 'model_name', 'created_at', ...sumColumns] as const

/** The table that a query reads, with rows by hour. */
export interface Source {
  sql: string
  isOfOne: boolean
  summed?: Summed | undefined
  step: Step
  values: Record<string, unknown>
}

/** Sums by model and time, of one user or of all. */
export async function readHours(database: DatabaseService, query: HoursQuery): Promise<Hours> {
  const source = await sourceOf(database, query)
  const { isOfOne, step, summed } = source
  const numbered = (rows: readonly Omit<DataRow, 'id'>[]) =>
    rows.map((row, at) => ({ id: isOfOne ? at + 1 : 0, ...row }))
  const known = await countModels(database)
  const mostThirds = ((query.end - query.start) / THIRD_SECONDS) * known
  if (await hasFewRows(database, source, mostThirds))
    return { rows: numbered(await sumRows(database, source)) }
  const times = Math.floor((query.end - query.start) / step.seconds) + 2
  const isByHour = step.seconds === HOUR_SECONDS
  const steps = { ...source, sql: (isByHour ? undefined : summed?.table(step)) ?? source.sql }
  // Where all models can have rows of their own, they need not be ordered by what was spent.
  if (known * times <= mostRows) {
    const rows = await sumRows(database, steps)
    if (rows.length <= mostRows) return { rows: numbered(rows) }
  }
  const models = await database.select<{ model_name: string }>(
    `SELECT model_name FROM ${summed?.table() ?? source.sql} GROUP BY model_name HAVING SUM(count) > 0 ORDER BY SUM(quota) DESC, SUM(count) DESC, model_name`,
    source.values,
  )
  const shown = Math.max(fewestModels, Math.floor(mostRows / times) - 1)
  const names = models.slice(0, shown).map(({ model_name }) => model_name)
  const areFolded = models.length > shown
  const folded = areFolded ? { modelCount: models.length } : {}
  if (summed !== undefined && isByHour) {
    const { start, end } = query
    const rows = await hoursOfModels(database, source, {
      start,
      end,
      totals: summed.totals,
      names,
    })
    return { rows: numbered(rows), ...folded }
  }
  const rows = await sumRows(database, steps, areFolded ? names : undefined)
  return { rows: numbered(rows), ...folded }
}

/** How many models the log contains, regardless of the span. */
async function countModels(database: DatabaseService): Promise<number> {
  const [known] = await database.select<{ count: number }>(
    'SELECT COUNT(*) AS count FROM log_models',
  )
  return known?.count ?? 0
}

async function sourceOf(database: DatabaseService, query: HoursQuery): Promise<Source> {
  const { start, end, userId, username, step = { seconds: HOUR_SECONDS, offset: 0 } } = query
  const values = { start, end, other: OTHER_MODELS, ...step }
  if (userId !== undefined || username !== undefined) {
    const owners = userId === undefined ? await ownersOfName(database, username ?? '') : [userId]
    return sourceOfUser(database, { ...query, owners }, { step, values })
  }
  const { summedFrom, thirdsFrom, weeksTo } = await summedSince(database)
  const columns = `model_name, created_at, ${sumList}`
  const past = `UNION ALL SELECT ${columns} FROM dashboard__hours WHERE ${inSpan} AND created_at < :summedFrom`
  const sql = `(SELECT ${columns} FROM dashboard__models WHERE ${inSpan} AND created_at >= :summedFrom
    ${start < summedFrom ? past : ''}) AS hours`
  const summed = start >= summedFrom && start >= thirdsFrom ? sumsOfAll(query, weeksTo) : undefined
  return { sql, isOfOne: false, summed, step, values: { ...values, summedFrom } }
}

const inSpan = 'created_at >= :start AND created_at <= :end'

async function sourceOfUser(
  database: DatabaseService,
  { start, end, userId, username, owners }: HoursQuery & { owners: readonly number[] },
  { step, values }: Pick<Source, 'step' | 'values'>,
): Promise<Source> {
  const name = userId === undefined ? username : undefined
  const ofOwner = owners.length === 1 ? 'user_id = :owners' : 'user_id IN (:owners)'
  const ofName = name === undefined ? '' : ' AND username = :username'
  const sql = `(SELECT * FROM dashboard__hours WHERE ${inSpan} AND ${ofOwner}${ofName}) AS hours`
  const [owner, another] = owners
  const source = { sql, isOfOne: true, step, values: { ...values, owners, username } }
  if (owner === undefined || another !== undefined) return source
  const user = { start, end, userId: owner, username: name }
  const thirds = await summedThirds(database, user)
  if (thirds.length === 0) return source
  const known = { ...source.values, userId: owner }
  return { ...source, summed: sumsOfUser(user, thirds), values: known }
}

/** The ids of the users who have or had a name. The primary key begins with the user, and rows under a name that
 *  nobody has any more belong to the user who had it. They are bound as numbers, because then the database can
 *  estimate how many rows they have. */
async function ownersOfName(database: DatabaseService, username: string): Promise<number[]> {
  const owners = await database.select<{ id: number }>(
    `SELECT id FROM users WHERE username = :username
     UNION SELECT user_id FROM log_users WHERE username = :username
     UNION SELECT user_id FROM dashboard__users WHERE username = :username`,
    { username },
  )
  return owners.map(({ id }) => id)
}

/** Of one user, sums of thirds are fewer than hours. If even they are too many, the hours need not be counted. */
async function hasFewRows(
  database: DatabaseService,
  { sql, isOfOne, summed, values }: Source,
  mostThirds: number,
): Promise<boolean> {
  const areMany = async (rows: string) => {
    const [counted] = await database.select<{ rows: number }>(
      `SELECT COUNT(*) AS rows FROM (SELECT 1 FROM ${rows} LIMIT ${mostRows + 1}) AS counted`,
      values,
    )
    return (counted?.rows ?? 0) > mostRows
  }
  const mayBeMany = isOfOne && summed !== undefined && mostThirds > mostRows
  if (mayBeMany && (await areMany(summed.table()))) return false
  return !(await areMany(sql))
}

/** @param shown models with rows of their own; all, where it is left out */
async function sumRows(
  database: DatabaseService,
  { sql, isOfOne, values }: Source,
  shown?: readonly string[],
): Promise<Omit<DataRow, 'id'>[]> {
  const owner = isOfOne ? 'user_id, username' : "0 AS user_id, '' AS username"
  const model =
    shown === undefined
      ? 'model_name'
      : 'CASE WHEN model_name IN (:shown) THEN model_name ELSE :other END'
  return selectMany(database, {
    columns: hourColumns,
    sql: `SELECT ${owner}, ${model} AS model_name, created_at - (created_at + :offset) % :seconds AS created_at, ${namedSums}
     FROM ${sql} GROUP BY 4, 3, 1, 2 HAVING SUM(count) > 0 ORDER BY 4, 3, 1, 2`,
    values: { ...values, ...(shown === undefined ? {} : { shown }) },
  })
}

/** The times from which on the sums of all users, and those by thirds, are complete, and up to which those by weeks are. */
export async function summedSince(
  database: DatabaseService,
): Promise<{ summedFrom: number; thirdsFrom: number; weeksTo: number }> {
  const [progress] = await database.select<
    Record<'summed_from' | 'thirds_from' | 'weeks_to', number>
  >(
    `SELECT summed_from, CASE WHEN thirds_id = last_id THEN thirds_from ELSE ${Number.MAX_SAFE_INTEGER} END AS thirds_from,
       CASE WHEN weeks_id = last_id THEN weeks_to ELSE 0 END AS weeks_to
     FROM dashboard__progress WHERE id = 1`,
  )
  return {
    summedFrom: progress?.summed_from ?? 0,
    thirdsFrom: progress?.thirds_from ?? 0,
    weeksTo: progress?.weeks_to ?? 0,
  }
}

/** When the log was last counted, in seconds; 0 if never. */
export async function countedAt(database: DatabaseService): Promise<number> {
  const [progress] = await database.select<{ counted_at: number }>(
    'SELECT counted_at FROM dashboard__progress WHERE id = 1',
  )
  return progress?.counted_at ?? 0
}
