import type { DatabaseService } from '#core'

/** Whose token it is; undefined where there is none of this id. */
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
