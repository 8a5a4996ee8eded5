import type { DatabaseService } from '#core'

/** Rows of a statement with thousands of them. SQLite hands them over as one text, because its driver takes 2 µs for each
 *  row, twice as long as SQLite for writing the text and this process for reading it. */
export async function selectMany<Row>(
  database: DatabaseService,
  columns: readonly (keyof Row & string)[],
  { sql, values }: { sql: string; values: Record<string, unknown> },
): Promise<Row[]> {
  if (database.dialect === 'postgres') return database.select<Row & object>(sql, values)
  const fields = columns.map((column) => `'${column}', ${column}`).join(', ')
  const [found] = await database.select<{ rows: string }>(
    `SELECT json_group_array(json_object(${fields})) AS rows FROM (${sql}) AS found`,
    values,
  )
  return JSON.parse(found?.rows ?? '[]') as Row[]
}
