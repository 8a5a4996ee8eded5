import type { Transaction } from 'sequelize'
import type { DatabaseService } from '../contract/services.ts'
import { userIdentities } from '../data/models/user-identity.ts'

/** Binds an account to the named subjects instead of those it had at the same providers; an empty subject only unbinds. */
export async function writeIdentities(
  database: DatabaseService,
  change: { userId: number; identities: Readonly<Record<string, string>>; createdAt: number },
  transaction: Transaction,
): Promise<void> {
  const Identity = userIdentities(database)
  for (const [provider, subject] of Object.entries(change.identities)) {
    await Identity.destroy({ where: { user_id: change.userId, provider }, transaction })
    if (subject === '') continue
    const row = { provider, subject, user_id: change.userId, created_at: change.createdAt }
    await Identity.create(row, { transaction })
  }
}
