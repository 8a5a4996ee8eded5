// Reads each row of the usage log once. The database groups the rows by user, model and hour and returns the groups
// as one text; the sums by model and by user are added up from those groups here.
import { hourSums, manyRowsFrom, type TransactionStatements } from '#core'
import { sumColumns } from './sums-sql.ts'

export const HOUR_SECONDS = 3_600
export const DAY_SECONDS = 86_400
export const THIRD_SECONDS = DAY_SECONDS / 3

interface Sums {
  token_used: number
  count: number
  quota: number
}
interface OfHour extends Sums {
  user_id: number
  model_name: string
  created_at: number
  username: string
}
type OfModel = Omit<OfHour, 'user_id' | 'username'>
type OfUser = Omit<OfHour, 'model_name'>
type OfAll = Omit<OfModel, 'model_name'>

const ofSums = { token_used: 'bigint', count: 'bigint', quota: 'bigint' } as const
const columns = {
  hours: {
    user_id: 'bigint',
    model_name: 'text',
    created_at: 'bigint',
    username: 'text',
    ...ofSums,
  },
  models: { created_at: 'bigint', model_name: 'text', ...ofSums },
  thirds: { created_at: 'bigint', model_name: 'text', ...ofSums },
  totals: { created_at: 'bigint', ...ofSums },
  users: { created_at: 'bigint', user_id: 'bigint', username: 'text', ...ofSums },
} as const
const keys = {
  hours: 'user_id, model_name, created_at',
  models: 'created_at, model_name',
  thirds: 'created_at, model_name',
  totals: 'created_at',
  users: 'created_at, user_id',
} as const
type Table = keyof typeof keys

/** How many ids are read at once: their rows are added up in one turn of the event loop. */
const READ_AT_ONCE = 5_000

/** Adds rows of the log to the sums by user, model and hour, by model and hour, by hour, and by user and day.
 *  @returns the sums by user, model and hour */
export async function addHours(
  statements: TransactionStatements,
  { id, after, to }: { id: number; after: number; to: number },
): Promise<readonly { created_at: number }[]> {
  const hours = new Map<string, OfHour>()
  for (let from = id; from < to; from += READ_AT_ONCE) {
    const part = { id: from, after, to: Math.min(to, from + READ_AT_ONCE) }
    for (const row of await readGroups(statements, part)) {
      addNamed(hours, `${row.user_id} ${row.created_at} ${row.model_name}`, row)
    }
  }
  const models = new Map<string, OfModel>()
  const users = new Map<string, OfUser>()
  for (const { user_id, model_name, created_at, username, ...sums } of hours.values()) {
    addTo(models, `${created_at} ${model_name}`, { model_name, created_at, ...sums })
    const day = created_at - (created_at % DAY_SECONDS)
    addNamed(users, `${day} ${user_id}`, { user_id, created_at: day, username, ...sums })
  }
  const thirds = new Map<string, OfModel>()
  const totals = new Map<string, OfAll>()
  for (const { model_name, created_at, ...sums } of models.values()) {
    addTo(totals, `${created_at}`, { created_at, ...sums })
    const third = created_at - (created_at % THIRD_SECONDS)
    addTo(thirds, `${third} ${model_name}`, { model_name, created_at: third, ...sums })
  }
  const ofUsers = [...hours.values()]
  await writeRows(statements, 'hours', ofUsers)
  await writeRows(statements, 'models', [...models.values()])
  await writeRows(statements, 'thirds', [...thirds.values()])
  await writeRows(statements, 'totals', [...totals.values()])
  await writeRows(statements, 'users', [...users.values()])
  return ofUsers
}

function addNamed<Row extends Sums & { username: string }>(
  rows: Map<string, Row>,
  name: string,
  row: Row,
): void {
  const known = addTo(rows, name, row)
  if (row.username > known.username) known.username = row.username
}

function addTo<Row extends Sums>(rows: Map<string, Row>, name: string, row: Row): Row {
  const known = rows.get(name)
  if (known === undefined) {
    rows.set(name, row)
    return row
  }
  for (const column of sumColumns) known[column] += row[column]
  return known
}

type Group = [
  userId: number,
  model: string,
  hour: number,
  username: string,
  tokens: number,
  count: number,
  quota: number,
]

async function readGroups(
  statements: TransactionStatements,
  { id, after, to }: { id: number; after: number; to: number },
): Promise<OfHour[]> {
  const isNew = after < 0 ? '' : ' AND created_at > :after'
  const hours = hourSums({
    by: ['user_id', 'model_name'],
    sums: ['username', ...sumColumns],
    where: `id > :id AND id <= :to${isNew}`,
  })
  const columns = ['user_id', 'model_name', 'hour', 'username', ...sumColumns].join(', ')
  const list =
    statements.dialect === 'sqlite'
      ? `json_group_array(json_array(${columns}))`
      : `CAST(json_agg(json_build_array(${columns})) AS text)`
  const [found] = await statements.select<{ groups: string | null }>(
    `SELECT ${list} AS groups FROM (${hours.sql}) AS hours`,
    { ...hours.values, id, to, after },
  )
  return (JSON.parse(found?.groups ?? '[]') as Group[]).map(
    ([user_id, model_name, created_at, username, token_used, count, quota]) => ({
      user_id,
      model_name,
      created_at,
      username,
      token_used,
      count,
      quota,
    }),
  )
}

async function writeRows(
  statements: TransactionStatements,
  table: Table,
  rows: readonly (OfAll | OfUser)[],
): Promise<void> {
  const list = Object.keys(columns[table]).join(', ')
  const name = `dashboard__${table}`
  const added = sumColumns.map((column) => `${column} = ${name}.${column} + excluded.${column}`)
  const replaced = 'username' in columns[table] ? ['username = excluded.username'] : []
  const { from, values } = manyRowsFrom(statements.dialect, 'part', columns[table], rows)
  await statements.run(
    `INSERT INTO ${name} (${list}) SELECT ${list} FROM ${from} WHERE TRUE
     ON CONFLICT (${keys[table]}) DO UPDATE SET ${[...replaced, ...added].join(', ')}`,
    values,
  )
}
