import type { DatabaseService } from '#core'

/** The owner of a token; undefined if there is none with this id. */
export async function tokenOwner(
  database: DatabaseService,
  id: number,
): Promise<number | undefined> {
  const [row] = await database.select<{ user_id: number }>(
    'SELECT user_id FROM tokens WHERE id = :id',
    { id },
  )
  return row?.user_id
}
