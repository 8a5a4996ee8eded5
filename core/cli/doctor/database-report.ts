import type { DatabaseService } from '../../contract/services.ts'

/** Its name and version. */
export async function versionOf(database: DatabaseService): Promise<string> {
  const isSqlite = database.dialect === 'sqlite'
  const sql = isSqlite
    ? 'SELECT sqlite_version() AS version'
    : `SELECT current_setting('server_version') AS version`
  const [row] = await database.select<{ version: string }>(sql)
  return `${isSqlite ? 'SQLite' : 'PostgreSQL'} ${row?.version ?? ''}`
}

/** The time of a PostgreSQL in Unix seconds. */
export async function secondsOfServer(database: DatabaseService): Promise<number> {
  const sql = 'SELECT EXTRACT(EPOCH FROM clock_timestamp())::float8 AS seconds'
  const [row] = await database.select<{ seconds: number }>(sql)
  return row?.seconds ?? Number.NaN
}
