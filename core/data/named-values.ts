/** A statement with its values; `:name` in the text stands for one, an array for a list of them, an array of arrays for rows. */
export interface Statement {
  sql: string
  values?: Record<string, unknown> | undefined
}

/** Text that is not a name: quoted text, comments and the `::` of PostgreSQL's casts. If unclosed, it extends to the end. */
const piecePattern =
  /'[^']*(?:'|$)|"[^"]*(?:"|$)|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)|::|:([a-zA-Z_]\w*)/g

/** The statement as the database expects it. Texts are bound and never become part of the SQL. Numbers, booleans and
 *  NULL are written out, so that no database has to guess their type.
 *  @param placeholder returns the name of the value at a position, counted from 0 */
export function bindNamed(
  { sql, values }: Statement,
  placeholder: (place: number) => string,
): { sql: string; bound: unknown[] } {
  if (values === undefined) return { sql, bound: [] }
  const bound: unknown[] = []
  const bind = (value: unknown): string => {
    if (value === null) return 'NULL'
    if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
    if (typeof value === 'number' && Number.isFinite(value)) return digits(value)
    bound.push(typeof value === 'string' ? storableText(value) : value)
    return placeholder(bound.length - 1)
  }
  const list = (items: readonly unknown[]): string =>
    items.map((item) => (Array.isArray(item) ? `(${list(item)})` : bind(item))).join(', ')
  const text = sql.replace(piecePattern, (piece, name: string | undefined) => {
    if (name === undefined) return piece
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) throw new Error(`The statement has no value for :${name}`)
    if (!Array.isArray(value)) return bind(value)
    // IN () is not valid SQL; an empty list must match nothing.
    return value.length === 0 ? 'NULL' : list(value)
  })
  return { sql: text, bound }
}

/** In brackets if negative, since `- -5` must not become a comment. */
function digits(value: number): string {
  return value < 0 || Object.is(value, -0) ? `(${value})` : String(value)
}

/** PostgreSQL cannot store NUL, and a lone surrogate is not valid UTF-8. */
export function storableText(text: string): string {
  const clean = text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text
  return clean.isWellFormed() ? clean : clean.toWellFormed()
}

/** Characters that PostgreSQL's text cannot hold, in the form in which `JSON.stringify` writes them. */
const unstorablePattern = /\\u(?:0000|d[89a-f])/

/** One JSON text that both databases accept, with the texts inside made storable. */
export function storableJson(value: readonly unknown[]): string {
  const text = JSON.stringify(value)
  if (!unstorablePattern.test(text)) return text
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string' ? storableText(part) : part,
  )
}

type Row<Columns> = { readonly [Column in keyof Columns]?: string | number | boolean | null }

/** Rows to select from, as part of a FROM clause with its values. PostgreSQL gets one JSON value; SQLite, which needs
 *  no network, gets separate values (a third faster there). */
export function rowsFrom<Columns extends Record<string, 'text' | 'bigint' | 'boolean'>>(
  dialect: 'sqlite' | 'postgres',
  name: string,
  columns: Columns,
  rows: readonly Row<NoInfer<Columns>>[],
): { from: string; values: Record<string, unknown> } {
  const names = Object.keys(columns)
  if (dialect === 'postgres') {
    const types = names.map((column) => `"${column}" ${columns[column]}`).join(', ')
    return {
      from: `json_to_recordset(CAST(:${name} AS json)) AS ${name} (${types})`,
      values: { [name]: storableJson(rows) },
    }
  }
  const lists = rows.map((row) => names.map((column) => row[column] ?? null))
  const fields = names.map((column, index) => `column${index + 1} AS "${column}"`).join(', ')
  return {
    from: `(SELECT ${fields} FROM (VALUES :${name})) AS ${name}`,
    values: { [name]: lists },
  }
}

/** `rowsFrom` for thousands of rows. It passes one JSON text on both databases, because each separately bound value costs
 *  the driver several microseconds. */
export function manyRowsFrom<Columns extends Record<string, 'text' | 'bigint'>>(
  dialect: 'sqlite' | 'postgres',
  name: string,
  columns: Columns,
  rows: readonly Row<NoInfer<Columns>>[],
): { from: string; values: Record<string, unknown> } {
  const names = Object.keys(columns)
  const fields = names.map((column, place) => {
    const value = `value ->> ${place}`
    return `${dialect === 'sqlite' ? value : `CAST(${value} AS ${columns[column]})`} AS "${column}"`
  })
  const each =
    dialect === 'sqlite' ? `jsonb_each(:${name})` : `jsonb_array_elements(CAST(:${name} AS jsonb))`
  return {
    from: `(SELECT ${fields.join(', ')} FROM ${each}) AS ${name}`,
    values: { [name]: storableJson(rows.map((row) => names.map((column) => row[column] ?? null))) },
  }
}
