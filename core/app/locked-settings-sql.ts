// Locks the stored options and plugins until the end of a transaction, so that a rule about several of them is checked and written atomically.
import type { Transaction } from 'sequelize'
import type { DatabaseService } from '../contract/services.ts'
import { plainRows } from '../data/models/define-model.ts'
import { options } from '../data/models/option.ts'
import { plugins } from '../data/models/plugin.ts'
import type { LockedSettings } from '../kernel/options/option-changes.ts'

/** An arbitrary number for the advisory lock. On SQLite beginning a transaction is the lock. */
const advisoryLock = 7_365_002

/** Call it before the first row of either table is locked. */
export async function lockSettings(
  database: DatabaseService,
  transaction: Transaction,
): Promise<LockedSettings> {
  if (database.dialect === 'postgres') {
    const sql = 'SELECT pg_advisory_xact_lock(:advisoryLock)'
    await database.select(sql, { advisoryLock }, transaction)
  }
  const off = await plugins(database).findAll({ where: { enabled: false }, transaction })
  return {
    options: plainRows(await options(database).findAll({ transaction })),
    pluginsOff: new Set(plainRows(off).map(({ id }) => id)),
  }
}
