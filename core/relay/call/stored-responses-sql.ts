import { storedResponseRow, type StoredResponseRow } from '../../data/models/stored-response.ts'
import type { DatabaseService } from '../../contract/services.ts'

const names = Object.keys(storedResponseRow.properties) as (keyof StoredResponseRow)[]
const newer = names.map((name) => `${name} = excluded.${name}`).join(', ')

/** Many rows at once, bound: a model writes the values of such a statement into its text. */
export async function enterResponses(
  database: DatabaseService,
  rows: readonly StoredResponseRow[],
): Promise<void> {
  await database.run(
    `INSERT INTO stored_responses (${names.join(', ')}) VALUES :rows
     ON CONFLICT (id, user_id) DO UPDATE SET ${newer}`,
    { rows: rows.map((row) => names.map((name) => row[name])) },
  )
}
