import type { Migration } from '#core'

export const migrations: readonly Migration[] = [
  {
    id: 'pii-masking-0001-counts',
    // Counts only: the texts that were found are stored nowhere.
    up: async ({ run, prefix }) => {
      await run(`CREATE TABLE ${prefix}counts (
        day TEXT NOT NULL,
        kind TEXT NOT NULL,
        count BIGINT NOT NULL,
        PRIMARY KEY (day, kind)
      )`)
    },
  },
]
