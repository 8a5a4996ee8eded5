import type { DatabaseService } from '../contract/services.ts'

/** That a text matches a pattern whatever the case of its letters; `!` escapes. SQLite's LIKE takes A to Z and a to z for the same by
 *  itself, and its LOWER knows no other letters: it would copy each text for nothing, which takes longer than comparing them.
 *  @param text and pattern in SQL */
export function foldedLike(
  dialect: DatabaseService['dialect'],
  text: string,
  pattern: string,
): string {
  return dialect === 'sqlite'
    ? `${text} LIKE ${pattern} ESCAPE '!'`
    : `LOWER(${text}) LIKE LOWER(${pattern}) ESCAPE '!'`
}

/** A pattern for texts that contain this one. */
export function containing(text: string): string {
  return `%${literally(text)}%`
}

/** A text whose signs stand for themselves in a pattern. */
export function literally(text: string): string {
  return text.replaceAll(/[!%_]/g, '!$&')
}
