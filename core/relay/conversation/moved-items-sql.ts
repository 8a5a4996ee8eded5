import { movedItemRow, type MovedItemRow } from '../../data/models/moved-item.ts'
import type { DatabaseService } from '../../contract/services.ts'

const names = Object.keys(movedItemRow.properties) as (keyof MovedItemRow)[]

/** Binds its values; a statement made by the model would write them into its text. */
export async function handOver(
  database: DatabaseService,
  rows: readonly MovedItemRow[],
): Promise<void> {
  await database.run(
    `INSERT INTO moved_items (${names.join(', ')}) VALUES :rows ON CONFLICT (question, id) DO NOTHING`,
    { rows: rows.map((row) => names.map((name) => row[name])) },
  )
}

/** Reads the rows and deletes them in one step. */
export function takeOver(
  database: DatabaseService,
  question: string,
): Promise<Pick<MovedItemRow, 'id' | 'sealed'>[]> {
  return database.select(
    'WITH taken AS (DELETE FROM moved_items WHERE question = :question RETURNING id, sealed) SELECT id, sealed FROM taken',
    { question },
  )
}

/** Deletes what nobody fetched in time. */
export async function forgetLeft(database: DatabaseService, before: number): Promise<void> {
  await database.run('DELETE FROM moved_items WHERE created_at < :before', { before })
}
