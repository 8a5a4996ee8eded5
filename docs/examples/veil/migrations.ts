import type { Migration } from 'tollgate/contract'

export const migrations: readonly Migration[] = [
  {
    id: 'veil-0001-counts',
    up: async ({ run, prefix }) => {
      await run(
        `CREATE TABLE ${prefix}counts (day TEXT NOT NULL, kind TEXT NOT NULL, hidden INTEGER NOT NULL, PRIMARY KEY (day, kind))`,
      )
    },
  },
]
