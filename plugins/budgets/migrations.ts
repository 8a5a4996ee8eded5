import type { Migration } from '#core'

export const migrations: readonly Migration[] = [
  {
    id: 'budgets-0001-start',
    up: async ({ run, prefix, dialect }) => {
      const id =
        dialect === 'sqlite' ? 'INTEGER PRIMARY KEY AUTOINCREMENT' : 'BIGSERIAL PRIMARY KEY'
      // Amounts are units. 0 and an empty text: any.
      await run(`CREATE TABLE ${prefix}budgets (
        id ${id},
        name TEXT NOT NULL,
        period TEXT NOT NULL,
        amount BIGINT NOT NULL,
        counting TEXT NOT NULL,
        user_id BIGINT NOT NULL,
        token_id BIGINT NOT NULL,
        group_name TEXT NOT NULL,
        model TEXT NOT NULL,
        is_enabled INTEGER NOT NULL,
        created_at BIGINT NOT NULL
      )`)
      // subject: whose sum it is, 0 where all are one. warned_percent: of which height somebody has been told.
      // changed_ms: by the clock of the database, so that nodes read only what is new.
      await run(`CREATE TABLE ${prefix}spent (
        budget_id BIGINT NOT NULL,
        begins_at BIGINT NOT NULL,
        subject BIGINT NOT NULL,
        units BIGINT NOT NULL,
        warned_percent INTEGER NOT NULL DEFAULT 0,
        changed_ms BIGINT NOT NULL,
        PRIMARY KEY (budget_id, begins_at, subject)
      )`)
      await run(`CREATE INDEX ${prefix}spent_changed ON ${prefix}spent (changed_ms)`)
    },
  },
]
