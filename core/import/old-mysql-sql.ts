import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise'
import type { OldDatabase } from './old-database.ts'

/** @throws Error if it cannot be reached */
export async function openOldMysql(url: string): Promise<OldDatabase> {
  const connection = await createConnection({ uri: url, supportBigNumbers: true })
  try {
    await connection.query('SET SESSION TRANSACTION READ ONLY')
    return {
      tables: await tablesOf(connection),
      slice: async (table, { column, last, most }) => {
        const above = last === undefined ? '' : `WHERE ${quoted(column)} > ?`
        const sql = `SELECT * FROM ${quoted(table)} ${above} ORDER BY ${quoted(column)} LIMIT ?`
        const values = last === undefined ? [most] : [last, most]
        return (await connection.query<RowDataPacket[]>(sql, values))[0]
      },
      close: () => connection.end(),
    }
  } catch (error) {
    await connection.end()
    throw error
  }
}

async function tablesOf(connection: Connection): Promise<Map<string, Set<string>>> {
  const [rows] = await connection.query<RowDataPacket[]>(
    'SELECT table_name AS name, column_name AS column_name FROM information_schema.columns WHERE table_schema = DATABASE()',
  )
  const tables = new Map<string, Set<string>>()
  for (const row of rows) {
    const name = String(row['name'])
    tables.set(name, (tables.get(name) ?? new Set()).add(String(row['column_name'])))
  }
  return tables
}

const quoted = (name: string) => `\`${name.replaceAll('`', '``')}\``
