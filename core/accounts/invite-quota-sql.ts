import type { Transaction } from 'sequelize'
import type { DatabaseService } from '../contract/services.ts'

/** Takes invite earnings if there are enough, in one statement, so that two calls at once cannot both take the last ones. */
export async function takeAffQuota(
  database: DatabaseService,
  { id, units }: { id: number; units: number },
  transaction: Transaction,
): Promise<boolean> {
  const taken = await database.run(
    'UPDATE users SET aff_quota = aff_quota - :units WHERE id = :id AND aff_quota >= :units',
    { id, units },
    transaction,
  )
  return taken === 1
}
