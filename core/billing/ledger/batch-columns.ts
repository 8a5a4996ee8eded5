import { columnTypes } from '../../data/models/define-model.ts'
import { newLogRow } from '../../data/models/log.ts'

/** The columns of a log row in the order in which a batch carries them, with their types on PostgreSQL. */
export const logColumns = columnTypes(newLogRow)

export const spentColumns = {
  id: 'bigint',
  units: 'bigint',
  part: 'bigint',
  calls: 'bigint',
} as const

export const entryColumns = {
  user_id: 'bigint',
  token_id: 'bigint',
  ref: 'text',
  units: 'bigint',
  later: 'bigint',
  created_at: 'bigint',
} as const

export type Columns = Readonly<Record<string, 'text' | 'bigint' | 'boolean'>>

/** The names as SQL has them: `group` is a word of it. */
export function quoted(columns: Columns): string[] {
  return Object.keys(columns).map((name) => `"${name}"`)
}
