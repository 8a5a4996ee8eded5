import type { Migration } from '#core'

export const migrations: readonly Migration[] = [
  {
    id: 'redemptions-0001-codes',
    up: async ({ run, prefix, dialect }) => {
      const id =
        dialect === 'sqlite' ? 'INTEGER PRIMARY KEY AUTOINCREMENT' : 'BIGSERIAL PRIMARY KEY'
      // `key` is encrypted; codes are found by `key_hash`. Times are Unix seconds; 0 means never.
      await run(`CREATE TABLE ${prefix}codes (
        id ${id},
        user_id BIGINT NOT NULL,
        name TEXT NOT NULL,
        key TEXT NOT NULL,
        key_hash TEXT NOT NULL,
        status INTEGER NOT NULL DEFAULT 1,
        quota BIGINT NOT NULL,
        created_time BIGINT NOT NULL,
        expired_time BIGINT NOT NULL DEFAULT 0,
        redeemed_time BIGINT NOT NULL DEFAULT 0,
        used_user_id BIGINT NOT NULL DEFAULT 0,
        deleted_time BIGINT NOT NULL DEFAULT 0
      )`)
      await run(`CREATE UNIQUE INDEX ${prefix}codes_key ON ${prefix}codes (key_hash)`)
      await run(`CREATE INDEX ${prefix}codes_live ON ${prefix}codes (deleted_time, id)`)
    },
  },
  {
    id: 'redemptions-0002-search',
    up: async ({ run, prefix, dialect }) => {
      // For the searches in codes-sql.ts. The indexes include the expiry, so that codes of a status are counted from the index alone.
      const name = dialect === 'postgres' ? '(LOWER(name) COLLATE "C")' : 'LOWER(name)'
      await run(`CREATE INDEX ${prefix}codes_name ON ${prefix}codes (deleted_time, ${name})`)
      await run(
        `CREATE INDEX ${prefix}codes_status ON ${prefix}codes (deleted_time, status, id, expired_time)`,
      )
    },
  },
]
