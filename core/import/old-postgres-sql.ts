import pg from 'pg'
import type { OldDatabase } from './old-database.ts'
import { quotedName } from '../data/quoted-name.ts'

/** @throws Error if it cannot be reached */
export async function openOldPostgres(url: string): Promise<OldDatabase> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('BEGIN TRANSACTION READ ONLY')
    return {
      tables: await tablesOf(client),
      slice: async (table, { column, last, most }) => {
        const above = last === undefined ? '' : `WHERE ${quotedName(column)} > $2`
        const sql = `SELECT * FROM ${quotedName(table)} ${above} ORDER BY ${quotedName(column)} LIMIT $1`
        const values = last === undefined ? [most] : [most, last]
        return (await client.query<Record<string, unknown>>(sql, values)).rows
      },
      close: () => client.end(),
    }
  } catch (error) {
    await client.end()
    throw error
  }
}

async function tablesOf(client: pg.Client): Promise<Map<string, Set<string>>> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `SELECT table_name AS name, array_agg(column_name::text) AS columns
    FROM information_schema.columns WHERE table_schema = current_schema() GROUP BY table_name`,
  )
  return new Map(rows.map(({ name, columns }) => [name, new Set(columns)]))
}
