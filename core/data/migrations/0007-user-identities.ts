import type { MigrationContext } from '../migrate.ts'

export const needsStop = true

const moved = {
  github_id: 'github',
  oidc_id: 'oidc',
  wechat_id: 'wechat',
  telegram_id: 'telegram',
  linux_do_id: 'linuxdo',
}

/** Identities at sign-in providers become rows, so that a further provider needs no further column. */
export async function up({ run, dialect }: MigrationContext): Promise<void> {
  await run(
    `CREATE TABLE user_identities (
      provider TEXT NOT NULL,
      subject TEXT NOT NULL,
      user_id BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      PRIMARY KEY (provider, subject)
    )`,
  )
  await run('CREATE UNIQUE INDEX user_identities_user ON user_identities (user_id, provider)')
  for (const [column, provider] of Object.entries(moved)) {
    await run(
      `INSERT INTO user_identities (provider, subject, user_id, created_at)
       SELECT '${provider}', ${column}, id, created_at FROM users WHERE ${column} <> ''`,
    )
    await run(`DROP INDEX users_${column}`)
    await run(`ALTER TABLE users DROP COLUMN ${column}`)
  }
  if (dialect !== 'sqlite') return
  // The text that the models read as a time there.
  for (const table of ['users', 'tokens']) {
    await run(
      `UPDATE ${table} SET deleted_at = strftime('%Y-%m-%d %H:%M:%f +00:00', deleted_at)
       WHERE deleted_at IS NOT NULL`,
    )
  }
}
