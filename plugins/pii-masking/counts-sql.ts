import type { DatabaseService } from '#core'

export interface CountRow {
  day: string
  kind: string
  count: number
}

/** Adds to the counts of all nodes. */
export async function addCounts(
  database: DatabaseService,
  rows: readonly CountRow[],
): Promise<void> {
  await database.transaction(async (transaction) => {
    for (const row of rows) {
      await database.run(
        `INSERT INTO pii_masking__counts (day, kind, count) VALUES (:day, :kind, :count)
         ON CONFLICT (day, kind) DO UPDATE SET count = pii_masking__counts.count + excluded.count`,
        { ...row },
        transaction,
      )
    }
  })
}

/** The newest day comes first. */
export async function countsSince(database: DatabaseService, day: string): Promise<CountRow[]> {
  return database.select<CountRow>(
    'SELECT day, kind, count FROM pii_masking__counts WHERE day >= :day ORDER BY day DESC, kind',
    { day },
  )
}

export async function dropCountsBefore(database: DatabaseService, day: string): Promise<void> {
  await database.run('DELETE FROM pii_masking__counts WHERE day < :day', { day })
}
