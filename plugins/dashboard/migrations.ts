import type { Migration } from '#core'

export const migrations: readonly Migration[] = [
  {
    id: 'dashboard-0001-hours',
    up: async ({ run, prefix }) => {
      await run(`CREATE TABLE ${prefix}hours (
        user_id BIGINT NOT NULL,
        model_name TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        username TEXT NOT NULL,
        token_used BIGINT NOT NULL,
        count BIGINT NOT NULL,
        quota BIGINT NOT NULL,
        PRIMARY KEY (user_id, model_name, created_at)
      )`)
      await run(`CREATE INDEX ${prefix}hours_created ON ${prefix}hours (created_at)`)
      // How far the usage log has been counted: the id and the time of the last row.
      await run(`CREATE TABLE ${prefix}progress (
        id INTEGER PRIMARY KEY,
        last_id BIGINT NOT NULL,
        last_created_at BIGINT NOT NULL,
        counted_at BIGINT NOT NULL
      )`)
      await run(
        `INSERT INTO ${prefix}progress (id, last_id, last_created_at, counted_at) VALUES (1, 0, 0, 0)`,
      )
    },
  },
]
