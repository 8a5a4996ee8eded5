import type { Migration } from '#core'

export const migrations: readonly Migration[] = [
  {
    id: 'pii-masking-0001-counts',
    // Figures only: what was found is written nowhere.
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
