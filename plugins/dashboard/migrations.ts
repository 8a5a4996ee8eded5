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
  {
    id: 'dashboard-0002-sums-of-all',
    up: async ({ run, prefix, dialect }) => {
      const byKey = dialect === 'sqlite' ? 'WITHOUT ROWID' : ''
      const sums = 'token_used BIGINT NOT NULL, count BIGINT NOT NULL, quota BIGINT NOT NULL'
      // The key begins with the time, so that a span is one range of it.
      await run(`CREATE TABLE ${prefix}models (
        created_at BIGINT NOT NULL, model_name TEXT NOT NULL, ${sums}, PRIMARY KEY (created_at, model_name)
      ) ${byKey}`)
      await run(`CREATE TABLE ${prefix}users (
        created_at BIGINT NOT NULL, user_id BIGINT NOT NULL, username TEXT NOT NULL, ${sums}, PRIMARY KEY (created_at, user_id)
      ) ${byKey}`)
      // Rows of a user are found by the id. This index finds the ids of the users who had a name.
      await run(`CREATE INDEX ${prefix}users_name ON ${prefix}users (username, user_id)`)
      // The start of the first day from which on the sums are complete. The job adds the days before it, one after
      // another.
      await run(`ALTER TABLE ${prefix}progress ADD COLUMN summed_from BIGINT NOT NULL DEFAULT 0`)
      await run(
        `UPDATE ${prefix}progress SET summed_from = COALESCE((SELECT MAX(created_at) - MAX(created_at) % 86400 + 86400 FROM ${prefix}hours), 0)`,
      )
    },
  },
  {
    id: 'dashboard-0003-log-cuts',
    up: async ({ run, prefix }) => {
      await run(`ALTER TABLE ${prefix}progress ADD COLUMN cut_count BIGINT NOT NULL DEFAULT 0`)
    },
  },
  {
    id: 'dashboard-0004-thirds',
    up: async ({ run, prefix, dialect }) => {
      const byKey = dialect === 'sqlite' ? 'WITHOUT ROWID' : ''
      const sums = 'token_used BIGINT NOT NULL, count BIGINT NOT NULL, quota BIGINT NOT NULL'
      // Sums by thirds of days, in UTC. A day that begins at midnight in China begins with a third, too.
      await run(`CREATE TABLE ${prefix}thirds (
        created_at BIGINT NOT NULL, model_name TEXT NOT NULL, ${sums}, PRIMARY KEY (created_at, model_name)
      ) ${byKey}`)
      // Sums of all models by the hour.
      await run(`CREATE TABLE ${prefix}totals (created_at BIGINT PRIMARY KEY, ${sums})`)
      await run(`CREATE INDEX ${prefix}models_name ON ${prefix}models (model_name, created_at)`)
      // The start of the first day from which on both are complete, and how far they were counted: a process of an
      // older version counts without them.
      await run(`ALTER TABLE ${prefix}progress ADD COLUMN thirds_from BIGINT NOT NULL DEFAULT 0`)
      await run(`ALTER TABLE ${prefix}progress ADD COLUMN thirds_id BIGINT NOT NULL DEFAULT 0`)
      await run(
        `UPDATE ${prefix}progress SET thirds_id = last_id,
           thirds_from = COALESCE((SELECT MAX(created_at) - MAX(created_at) % 86400 + 86400 FROM ${prefix}hours), 0)`,
      )
    },
  },
  {
    id: 'dashboard-0005-user-thirds',
    up: async ({ run, prefix, dialect }) => {
      const byKey = dialect === 'sqlite' ? 'WITHOUT ROWID' : ''
      const sums = 'token_used BIGINT NOT NULL, count BIGINT NOT NULL, quota BIGINT NOT NULL'
      // For users with many rows in a third of a day: their sums by model, and the sums of all their models by the
      // hour.
      await run(`CREATE TABLE ${prefix}user_thirds (
        user_id BIGINT NOT NULL, created_at BIGINT NOT NULL, model_name TEXT NOT NULL, username TEXT NOT NULL,
        ${sums}, PRIMARY KEY (user_id, created_at, model_name)
      ) ${byKey}`)
      await run(`CREATE TABLE ${prefix}user_totals (
        user_id BIGINT NOT NULL, created_at BIGINT NOT NULL, username TEXT NOT NULL,
        ${sums}, PRIMARY KEY (user_id, created_at)
      ) ${byKey}`)
      // The time up to which they are made, and how far the log was counted: a process of an older version counts
      // without them.
      await run(`ALTER TABLE ${prefix}progress ADD COLUMN user_thirds_to BIGINT NOT NULL DEFAULT 0`)
      await run(`ALTER TABLE ${prefix}progress ADD COLUMN user_thirds_id BIGINT NOT NULL DEFAULT 0`)
      await run(`UPDATE ${prefix}progress SET user_thirds_id = last_id`)
    },
  },
  {
    id: 'dashboard-0006-user-blocks',
    up: async ({ run, prefix, dialect }) => {
      const byKey = dialect === 'sqlite' ? 'WITHOUT ROWID' : ''
      // The sums of each user in blocks of `days` days.
      await run(`CREATE TABLE ${prefix}user_blocks (
        days BIGINT NOT NULL, created_at BIGINT NOT NULL, user_id BIGINT NOT NULL, username TEXT NOT NULL,
        token_used BIGINT NOT NULL, count BIGINT NOT NULL, quota BIGINT NOT NULL, PRIMARY KEY (days, created_at, user_id)
      ) ${byKey}`)
      // Before which block they are made, where the one ends that is being made, and how far the log was counted.
      for (const column of ['user_blocks_to', 'user_blocks_begun', 'user_blocks_id'])
        await run(`ALTER TABLE ${prefix}progress ADD COLUMN ${column} BIGINT NOT NULL DEFAULT 0`)
      await run(`UPDATE ${prefix}progress SET user_blocks_id = last_id`)
    },
  },
  {
    id: 'dashboard-0007-weeks',
    up: async ({ run, prefix, dialect }) => {
      const byKey = dialect === 'sqlite' ? 'WITHOUT ROWID' : ''
      // The sums of each model in a week, which begins on Monday in UTC.
      await run(`CREATE TABLE ${prefix}weeks (
        created_at BIGINT NOT NULL, model_name TEXT NOT NULL,
        token_used BIGINT NOT NULL, count BIGINT NOT NULL, quota BIGINT NOT NULL, PRIMARY KEY (created_at, model_name)
      ) ${byKey}`)
      // The time up to which they are made, and how far the log was counted.
      for (const column of ['weeks_to', 'weeks_id'])
        await run(`ALTER TABLE ${prefix}progress ADD COLUMN ${column} BIGINT NOT NULL DEFAULT 0`)
      await run(`UPDATE ${prefix}progress SET weeks_id = last_id`)
    },
  },
  {
    id: 'dashboard-0008-hours-by-time',
    up: async ({ run, prefix, dialect }) => {
      // SQLite went through all hours of a user to find some: the model stands before the time in the key, which cannot be changed. PostgreSQL
      // skips them within the key, and reads the hours of a few models as quickly as they are.
      if (dialect === 'postgres') return
      const columns = 'user_id, model_name, created_at, username, token_used, count, quota'
      await run(`CREATE TABLE ${prefix}hours_by_time (
        user_id BIGINT NOT NULL,
        model_name TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        username TEXT NOT NULL,
        token_used BIGINT NOT NULL,
        count BIGINT NOT NULL,
        quota BIGINT NOT NULL
      )`)
      await run(
        `INSERT INTO ${prefix}hours_by_time (${columns}) SELECT ${columns} FROM ${prefix}hours`,
      )
      await run(`DROP TABLE ${prefix}hours`)
      await run(`ALTER TABLE ${prefix}hours_by_time RENAME TO ${prefix}hours`)
      // Made at last: millions of rows are sorted once then.
      await run(
        `CREATE UNIQUE INDEX ${prefix}hours_user ON ${prefix}hours (user_id, created_at, model_name)`,
      )
      await run(`CREATE INDEX ${prefix}hours_created ON ${prefix}hours (created_at)`)
    },
  },
]
