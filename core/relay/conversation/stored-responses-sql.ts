import { storedResponseRow, type StoredResponseRow } from '../../data/models/stored-response.ts'
import type { DatabaseService, SliceLimits } from '../../contract/services.ts'

const names = Object.keys(storedResponseRow.properties) as (keyof StoredResponseRow)[]
const newer = names.map((name) => `${name} = excluded.${name}`).join(', ')

/** Inserts many rows at once. Binds its values; a statement made by the model would write them into its text. */
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

/** Rows per slice. The rows of one slice are spread over the table, each on a page of its own. */
const AT_ONCE: SliceLimits = { first: 500, least: 50, most: 5_000 }

/** Deletes responses made before that second, oldest first and in slices: a busy day leaves millions, and a single
 *  statement would block calls. */
export async function deleteResponsesBefore(
  database: DatabaseService,
  { before, signal }: { before: number; signal?: AbortSignal | undefined },
): Promise<void> {
  const slices = database.slices(AT_ONCE)
  for (let isMore = true; isMore && signal?.aborted !== true; ) {
    const { rows } = slices
    const deleted = await slices.take(({ run }) =>
      run(
        `DELETE FROM stored_responses WHERE (id, user_id) IN
           (SELECT id, user_id FROM stored_responses WHERE created_at < :before ORDER BY created_at LIMIT :rows)`,
        { before, rows },
      ),
    )
    isMore = deleted === rows
  }
}
