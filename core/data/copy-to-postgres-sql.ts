import { DatabaseSync } from 'node:sqlite'
import type { Transaction } from 'sequelize'
import { unboundTransaction } from './postgres/bounded-session-sql.ts'
import type { Database } from './database.ts'
import { quotedName } from './quoted-name.ts'
import { errorText } from '../kernel/error-text.ts'

/** Characters in the text of one insert. */
const SLICE_CHARACTERS = 4_000_000

/** The migrations of the target have created its tables, so this one belongs to the target. */
const OF_THE_TARGET = 'schema_steps'

export interface CopyProgress {
  table: string
  done: number
  total: number
}

interface Copy {
  source: DatabaseSync
  target: Database
  transaction: Transaction
}

interface Column {
  name: string
  /** PostgreSQL's word for its type. */
  type: string
  /** Its numbers come from a sequence. */
  isSerial: boolean
}

/** Copies all rows of an SQLite file into a PostgreSQL that has the tables of the same version and no account. Runs in
 *  one transaction, so a copy that fails or is killed leaves nothing. Nobody may write to the file meanwhile.
 *  @returns tables of the file that the target does not have, with their rows
 *  @throws Error for the operator if the target contains an account, or refuses a row */
export async function copyToPostgres(
  file: string,
  target: Database,
  onProgress: (progress: CopyProgress) => void,
): Promise<{ table: string; rows: number }[]> {
  const source = new DatabaseSync(file, { readOnly: true })
  try {
    const targets = await columnsOf(target)
    const tables = tablesOf(source).filter((table) => table !== OF_THE_TARGET)
    const known = tables.filter((table) => targets.has(table))
    await target.transaction(async (transaction) => {
      const copy = { source, target, transaction }
      await target.run(unboundTransaction, undefined, transaction)
      await takeTables(copy, known)
      for (const table of known) await copyTable(copy, table, targets.get(table) ?? [], onProgress)
    })
    // The planner has no statistics about the new rows yet.
    await target.run('ANALYZE')
    return tables
      .filter((table) => !targets.has(table))
      .map((table) => ({ table, rows: rowsOf(source, table) }))
      .filter(({ rows }) => rows > 0)
  } finally {
    source.close()
  }
}

function tablesOf(source: DatabaseSync): string[] {
  const sql = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`
  return source
    .prepare(sql)
    .all()
    .map(({ name }) => String(name))
}

async function columnsOf(target: Database): Promise<Map<string, Column[]>> {
  const rows = await target.select<Column & { table: string }>(
    `SELECT table_name AS "table", column_name AS name, data_type AS type,
      COALESCE(column_default LIKE 'nextval(%', FALSE) AS "isSerial"
    FROM information_schema.columns WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position`,
  )
  const tables = new Map<string, Column[]>()
  for (const { table, ...column } of rows) {
    const columns = tables.get(table)
    if (columns) columns.push(column)
    else tables.set(table, [column])
  }
  return tables
}

/** Locks the tables until the end, so that a gateway that starts meanwhile waits and then finds everything or nothing. */
async function takeTables(copy: Copy, tables: readonly string[]): Promise<void> {
  const { target, transaction } = copy
  const names = tables.map(quotedName).join(', ')
  await target.run(`LOCK TABLE ${names} IN ACCESS EXCLUSIVE MODE`, undefined, transaction)
  const sql = 'SELECT 1 AS found FROM users LIMIT 1'
  if ((await target.select(sql, undefined, transaction)).length > 0) {
    throw new Error(
      'there are accounts in the database of DATABASE_URL already: name an empty one, nothing was copied',
    )
  }
  // Removes the initial rows, which the copied ones replace.
  await target.run(`TRUNCATE ${names}`, undefined, transaction)
}

async function copyTable(
  copy: Copy,
  table: string,
  targetColumns: readonly Column[],
  onProgress: (progress: CopyProgress) => void,
): Promise<void> {
  const own = new Set(sourceColumns(copy.source, table))
  const columns = targetColumns.filter(({ name }) => own.has(name))
  const total = rowsOf(copy.source, table)
  let done = 0
  for (const slice of slicesOf(copy.source, table, columns)) {
    done += await insert(copy, table, columns, slice).catch((cause: unknown) => {
      const reason = errorText(cause)
      throw new Error(`a row of ${table} cannot be copied: ${reason}; nothing was`, { cause })
    })
    onProgress({ table, done, total })
  }
  if (done !== total) throw new Error(`${table} has ${total} rows, ${done} were copied`)
  await continueNumbers(copy, table, columns)
}

const sourceColumns = (source: DatabaseSync, table: string) =>
  source
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({ name }) => String(name))

const rowsOf = (source: DatabaseSync, table: string) =>
  Number(source.prepare(`SELECT COUNT(*) AS rows FROM ${quotedName(table)}`).get()?.rows)

/** The rows as JSON that SQLite writes and PostgreSQL reads, so that no number becomes a JavaScript double. */
function* slicesOf(
  source: DatabaseSync,
  table: string,
  columns: readonly Column[],
): Generator<string> {
  const fields = columns.map(({ name, type }) => `${text(name)}, ${valueOf(name, type)}`)
  const sql = `SELECT json_object(${fields.join(', ')}) AS row FROM ${quotedName(table)}`
  let rows: string[] = []
  let size = 0
  for (const { row } of source.prepare(sql).iterate()) {
    const json = String(row)
    rows.push(json)
    size += json.length
    if (size < SLICE_CHARACTERS) continue
    yield `[${rows.join(',')}]`
    rows = []
    size = 0
  }
  if (rows.length > 0) yield `[${rows.join(',')}]`
}

/** A column as a JSON value from which PostgreSQL can make its type. */
function valueOf(name: string, type: string): string {
  const column = quotedName(name)
  const unlessNull = (value: string) => `CASE WHEN ${column} IS NULL THEN NULL ELSE ${value} END`
  // SQLite writes 15 digits of a double; 17 are needed for all of it.
  if (type === 'double precision') return unlessNull(`printf('%!.17g', ${column})`)
  if (type === 'bytea') return unlessNull(`'\\x' || hex(${column})`)
  if (type === 'json' || type === 'jsonb') return `json(${column})`
  return column
}

function insert(
  { target, transaction }: Copy,
  table: string,
  columns: readonly Column[],
  rows: string,
): Promise<number> {
  const names = columns.map(({ name }) => quotedName(name)).join(', ')
  return target.run(
    `INSERT INTO ${quotedName(table)} (${names})
    SELECT ${names} FROM json_populate_recordset(NULL::${quotedName(table)}, CAST(:rows AS json))`,
    { rows },
    transaction,
  )
}

/** The number of a deleted row is not used again, as with SQLite's AUTOINCREMENT. */
async function continueNumbers(
  { source, target, transaction }: Copy,
  table: string,
  columns: readonly Column[],
): Promise<void> {
  const kept = source.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table)
  for (const { name } of columns.filter(({ isSerial }) => isSerial)) {
    await target.select(
      `SELECT setval(pg_get_serial_sequence(:table, :name), GREATEST(COALESCE(MAX(${quotedName(name)}), 0), :kept) + 1, false)
      FROM ${quotedName(table)}`,
      { table: quotedName(table), name, kept: Number(kept?.seq ?? 0) },
      transaction,
    )
  }
}

const text = (value: string) => `'${value.replaceAll("'", "''")}'`
