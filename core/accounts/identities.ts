import type { Transaction } from 'sequelize'
import type { DatabaseService } from '../contract/services.ts'
import { userIdentities } from '../data/models/user-identity.ts'

/** Subjects by provider, with their issuer if the provider has issuers. */
export type Identities = Readonly<Record<string, string | { subject: string; issuer: string }>>

export function subjectOf(identity: Identities[string]): { subject: string; issuer: string } {
  return typeof identity === 'string' ? { subject: identity, issuer: '' } : identity
}

/** Binds the account to these subjects, replacing those at the same providers. An empty subject only removes the binding. */
export async function writeIdentities(
  database: DatabaseService,
  change: { userId: number; identities: Identities; createdAt: number },
  transaction: Transaction,
): Promise<void> {
  const Identity = userIdentities(database)
  for (const [provider, identity] of Object.entries(change.identities)) {
    const { subject, issuer } = subjectOf(identity)
    await Identity.destroy({ where: { user_id: change.userId, provider }, transaction })
    if (subject === '') continue
    const owned = { user_id: change.userId, created_at: change.createdAt }
    const row = { provider, subject, issuer, ...owned }
    await Identity.create(row, { transaction })
  }
}
