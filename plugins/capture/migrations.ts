import type { Migration } from '#core'

export const migrations: readonly Migration[] = [
  {
    id: 'capture-0001-start',
    up: async ({ run, prefix, dialect }) => {
      const id =
        dialect === 'sqlite' ? 'INTEGER PRIMARY KEY AUTOINCREMENT' : 'BIGSERIAL PRIMARY KEY'
      await run(`CREATE TABLE ${prefix}subjects (
        kind TEXT NOT NULL,
        id BIGINT NOT NULL,
        created_by TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        PRIMARY KEY (kind, id)
      )`)
      // `sealed` is encrypted, and last: what is listed is read without it. Times are Unix seconds, sizes characters in clear.
      await run(`CREATE TABLE ${prefix}calls (
        id ${id},
        created_at BIGINT NOT NULL,
        user_id BIGINT NOT NULL,
        token_id BIGINT NOT NULL,
        model TEXT NOT NULL,
        operation TEXT NOT NULL,
        status INTEGER NOT NULL,
        request_id TEXT NOT NULL,
        size BIGINT NOT NULL,
        is_cut INTEGER NOT NULL,
        sealed TEXT NOT NULL
      )`)
      await run(`CREATE INDEX ${prefix}calls_time ON ${prefix}calls (created_at, id)`)
      await run(`CREATE INDEX ${prefix}calls_user ON ${prefix}calls (user_id, id)`)
      await run(`CREATE INDEX ${prefix}calls_token ON ${prefix}calls (token_id, id)`)
    },
  },
]
