import type { Migration } from '#core'

export const migrations: readonly Migration[] = [
  {
    id: 'response-cache-0001-days',
    up: async ({ run, prefix }) => {
      // `saved` is units.
      await run(`CREATE TABLE ${prefix}days (
        day TEXT PRIMARY KEY,
        hits BIGINT NOT NULL,
        misses BIGINT NOT NULL,
        saved BIGINT NOT NULL
      )`)
    },
  },
]
