// PostgreSQL only, as there are no other nodes elsewhere. All times are of its clock: those of the nodes may differ by more than a row lives.
import { serverNow } from '../../data/postgres/server-now-sql.ts'
import type { MovedItemRow } from '../../data/models/moved-item.ts'
import type { DatabaseService } from '../../contract/services.ts'

/** What nobody has fetched by then will not be fetched. */
const LEFT_SECONDS = 60

const names = ['question', 'id', 'sealed'] as const

/** Binds its values; a statement made by the model would write them into its text. */
export async function handOver(
  database: DatabaseService,
  rows: readonly Omit<MovedItemRow, 'created_at'>[],
): Promise<void> {
  const list = names.join(', ')
  await database.run(
    `INSERT INTO moved_items (${list}, created_at)
     SELECT ${list}, ${serverNow} FROM (VALUES :rows) AS item (${list}) ON CONFLICT (question, id) DO NOTHING`,
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
export async function forgetLeft(database: DatabaseService): Promise<void> {
  await database.run(`DELETE FROM moved_items WHERE created_at < ${serverNow} - :left`, {
    left: LEFT_SECONDS,
  })
}
