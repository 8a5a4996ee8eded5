// The database of another gateway, which is only read.
import { existsSync, statSync } from 'node:fs'
import { OldRow } from './old-row.ts'

export interface OldDatabase {
  /** Columns by table. */
  readonly tables: ReadonlyMap<string, ReadonlySet<string>>
  /** The next rows of a table in the order of the column, above `last`; all of them for the first call. */
  slice(
    table: string,
    by: { column: string; last: unknown; most: number },
  ): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

/** Rows read at once. */
const SLICE_ROWS = 1_000

/** The user, password, address and database of a Go program's name of a MySQL, as one-api and new-api have it in SQL_DSN. */
const goNamePattern = /^([^:@/]+):(.*)@tcp\(([^()]+)\)\/([^?]+)/

/** @param source a file of SQLite, postgres://…, mysql://…, or user:password@tcp(host:port)/database
 *  @throws Error with a sentence for the operator */
export async function openOldDatabase(source: string): Promise<OldDatabase> {
  if (/^postgres(?:ql)?:\/\//.test(source)) {
    return (await import('./old-postgres-sql.ts')).openOldPostgres(source)
  }
  const [, user, password, address, name] = goNamePattern.exec(source) ?? []
  const url =
    user === undefined || password === undefined
      ? source
      : `mysql://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${address}/${name}`
  if (url.startsWith('mysql://')) return (await import('./old-mysql-sql.ts')).openOldMysql(url)
  if (!existsSync(source) || !statSync(source).isFile())
    throw new Error(
      `${source.includes('@') ? 'the source' : source} is no file of SQLite, no postgres://… and no mysql://…`,
    )
  return (await import('./old-sqlite-sql.ts')).openOldSqlite(source)
}

/** All rows of a table, none if there is no such table. */
export async function* rowsOf(
  old: OldDatabase,
  table: string,
  column = 'id',
): AsyncGenerator<OldRow> {
  if (old.tables.get(table)?.has(column) !== true) return
  let last: unknown
  for (;;) {
    const rows = await old.slice(table, { column, last, most: SLICE_ROWS })
    for (const row of rows) yield new OldRow(row)
    last = rows.at(-1)?.[column]
    if (rows.length < SLICE_ROWS) return
  }
}
