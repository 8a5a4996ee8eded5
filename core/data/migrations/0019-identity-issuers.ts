import type { MigrationContext } from '../migrate.ts'

/** Whose subject it is. Identities from before stay without one until the gateway starts: what its settings name then is where they came from. */
export async function up({ run }: MigrationContext): Promise<void> {
  await run(`ALTER TABLE user_identities ADD COLUMN issuer TEXT NOT NULL DEFAULT ''`)
  await run('CREATE INDEX user_identities_issuer ON user_identities (provider, issuer)')
}
