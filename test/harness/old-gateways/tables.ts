// Databases as one-api and new-api have them, for tests of `tollgate import`.
import { DatabaseSync } from 'node:sqlite'

type Row = Readonly<Record<string, string | number | null>>

export type OldRows = readonly Row[]

/** Rows by table; the columns are those that the rows name. */
export type OldTables = Readonly<Record<string, OldRows>>

/** What makes a database one of the family, with rows or without. */
const columns: Readonly<Record<string, readonly string[]>> = {
  users: ['id', 'username', 'quota', 'aff_code'],
  tokens: ['id', 'user_id', 'key'],
  channels: ['id', 'model_mapping'],
}

/** Statements that SQLite, PostgreSQL and MySQL take. Values are those of a test, without quotes in them. */
export function oldGatewaySql(given: OldTables, quote = '"'): string[] {
  const tables = new Set([...Object.keys(columns), ...Object.keys(given)])
  return [...tables].flatMap((table) => {
    const rows = given[table] ?? []
    const names = [
      ...new Set([...(columns[table] ?? []), ...rows.flatMap((row) => Object.keys(row))]),
    ]
    const quoted = (name: string) => quote + name + quote
    const types = names.map((name) => `${quoted(name)} ${typeOf(name, rows)}`)
    return [
      `CREATE TABLE ${quoted(table)} (${types.join(', ')})`,
      ...rows.map((row) => {
        const values = names.map((name) => literal(row[name] ?? null))
        return `INSERT INTO ${quoted(table)} (${names.map(quoted).join(', ')}) VALUES (${values.join(', ')})`
      }),
    ]
  })
}

function typeOf(name: string, rows: readonly Row[]): string {
  const isNumber = name === 'id' || rows.some((row) => typeof row[name] === 'number')
  return isNumber ? 'BIGINT' : name === 'key' ? 'VARCHAR(255)' : 'TEXT'
}

function literal(value: string | number | null): string {
  if (value === null) return 'NULL'
  return typeof value === 'number' ? String(value) : `'${value}'`
}

/** A file of SQLite. */
export function makeOldGateway(file: string, tables: OldTables): void {
  const database = new DatabaseSync(file)
  for (const statement of oldGatewaySql(tables)) database.exec(statement)
  database.close()
}
