import type { Migration } from '#core'

export const migrations: readonly Migration[] = [
  {
    id: 'logs-0001-clearing',
    up: async ({ run, prefix }) => {
      // A single row for the clearing that was begun last. `claim` names the process that works on it, `seen_at` is
      // the time of its last note.
      await run(`CREATE TABLE ${prefix}clearing (
        id INTEGER PRIMARY KEY,
        target_timestamp BIGINT NOT NULL DEFAULT 0,
        username TEXT NOT NULL DEFAULT '',
        started_at BIGINT NOT NULL DEFAULT 0,
        ended_at BIGINT NOT NULL DEFAULT 0,
        cleared BIGINT NOT NULL DEFAULT 0,
        state TEXT NOT NULL DEFAULT '',
        claim TEXT NOT NULL DEFAULT '',
        seen_at BIGINT NOT NULL DEFAULT 0
      )`)
      await run(`INSERT INTO ${prefix}clearing (id) VALUES (1)`)
    },
  },
]
