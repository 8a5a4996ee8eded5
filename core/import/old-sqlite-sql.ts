import { DatabaseSync } from 'node:sqlite'
import type { OldDatabase } from './old-database.ts'
import { quotedName } from '../data/quoted-name.ts'
import { errorText } from '../kernel/error-text.ts'

/** @throws Error if it is no database */
export function openOldSqlite(file: string): OldDatabase {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return {
      tables: tablesOf(database),
      slice: async (table, { column, last, most }) => {
        const above = last === undefined ? '' : `WHERE ${quotedName(column)} > ?`
        const sql = `SELECT * FROM ${quotedName(table)} ${above} ORDER BY ${quotedName(column)} LIMIT ?`
        const values = last === undefined ? [most] : [last as string, most]
        const statement = database.prepare(sql)
        // A number beyond 2^53 is refused else, and with it the whole table.
        statement.setReadBigInts(true)
        return statement.all(...values)
      },
      close: async () => database.close(),
    }
  } catch (cause) {
    database.close()
    const reason = errorText(cause)
    throw new Error(`${file} cannot be read: ${reason}`, { cause })
  }
}

function tablesOf(database: DatabaseSync): Map<string, Set<string>> {
  const sql = `SELECT tables.name AS name, columns.name AS column_name
    FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'`
  const tables = new Map<string, Set<string>>()
  for (const { name, column_name: column } of database.prepare(sql).all()) {
    const columns = tables.get(String(name)) ?? new Set()
    tables.set(String(name), columns.add(String(column)))
  }
  return tables
}
