/**
 * A value as SQL text that SQLite and PostgreSQL (standard_conforming_strings) read alike; for statements whose
 * rows are too many to be parameters. The only place where text becomes SQL.
 */
export function literal(value: string | number | boolean): string {
  if (typeof value === 'string') return `'${escape(value)}'`
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no integer within 2^53`)
  return String(value)
}

/** PostgreSQL stores no NUL, and a lone surrogate is no UTF-8. */
function escape(text: string): string {
  const clean = text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text
  const whole = clean.isWellFormed() ? clean : clean.toWellFormed()
  return whole.includes("'") ? whole.replaceAll("'", "''") : whole
}
