import type { DatabaseService } from '../contract/services.ts'

// eslint-disable-next-line no-control-regex
const ascii = /^[\x00-\x7f]*$/

/** That a text contains a word whatever the case of its letters; the value of `name` is `containing(word)`. SQLite's LIKE takes A to Z and a to z for
 *  the same by itself, and its LOWER knows no other letters: it would copy each text for nothing, which takes longer than comparing them. PostgreSQL
 *  takes half as long where it need fold these alone.
 *  @param text in SQL
 *  @param name of a bound value, with its sign */
export function foldedLike(
  dialect: DatabaseService['dialect'],
  text: string,
  { name, word }: { name: string; word: string },
): string {
  if (dialect === 'sqlite') return `${text} LIKE ${name} ESCAPE '!'`
  const folded = (sql: string) =>
    ascii.test(word) ? `LOWER((${sql}) COLLATE "C")` : `LOWER(${sql})`
  return `${folded(text)} LIKE ${folded(name)} ESCAPE '!'`
}

/** A pattern for texts that contain this one. */
export function containing(text: string): string {
  return `%${literally(text)}%`
}

/** A text whose signs stand for themselves in a pattern. */
export function literally(text: string): string {
  return text.replaceAll(/[!%_]/g, '!$&')
}
