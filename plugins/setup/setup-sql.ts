import type { DatabaseService, Transaction } from '#core'

/** The single row of `setups`. The process that writes it has done the setup. */
const ROW_ID = 1

export async function hasSetupRow(database: DatabaseService): Promise<boolean> {
  const rows = await database.select('SELECT id FROM setups')
  return rows.length > 0
}

/** Only one of several parallel calls writes the row.
 *  @returns whether it was this one */
export async function writeSetupRow(
  database: DatabaseService,
  version: string,
  transaction?: Transaction,
): Promise<boolean> {
  const written = await database.run(
    `INSERT INTO setups (id, version, initialized_at)
     VALUES (:id, :version, :now) ON CONFLICT (id) DO NOTHING`,
    { id: ROW_ID, version: version.slice(0, 50), now: Math.floor(Date.now() / 1000) },
    transaction,
  )
  return written > 0
}

/** Written in the transaction of the setup, which the option store does not take part in. */
export async function writeOptions(
  database: DatabaseService,
  values: Record<string, string>,
  transaction: Transaction,
): Promise<void> {
  for (const [key, value] of Object.entries(values)) {
    await database.run(
      `INSERT INTO options ("key", value) VALUES (:key, :value)
       ON CONFLICT ("key") DO UPDATE SET value = excluded.value`,
      { key, value },
      transaction,
    )
  }
}
