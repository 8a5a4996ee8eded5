// The table of plugins for the kernel, which does not know the database.
import type { PluginSource } from '../contract/plugin-row.ts'
import type { DatabaseService } from '../contract/services.ts'
import { plainRows } from '../data/models/define-model.ts'
import { plugins } from '../data/models/plugin.ts'
import type { LockedSettings } from '../kernel/options/option-changes.ts'
import { lockSettings } from './locked-settings-sql.ts'
import type { PluginTable } from '../kernel/host/plugin-records.ts'

/** @param beforeOff throws if a plugin may not be switched off */
export function pluginTable(
  database: DatabaseService,
  beforeOff?: (id: string, stored: LockedSettings) => Promise<void>,
): PluginTable {
  const forgiven = { failures: 0, cause: '' }
  return {
    read: async () =>
      plainRows(await plugins(database).findAll()).map(({ source, ...row }) => ({
        ...row,
        source: source as PluginSource,
      })),
    write: (row) =>
      database.transaction(async (transaction) => {
        if (!row.enabled) await beforeOff?.(row.id, await lockSettings(database, transaction))
        // The place where a plugin was found first is kept.
        const fields: (keyof typeof row | 'failures' | 'cause')[] = [
          'enabled',
          'version',
          'confirmed',
        ]
        await plugins(database).upsert(
          { ...row, location: '', ...forgiven },
          { fields: [...fields, 'failures', 'cause'], transaction },
        )
      }),
    fail: async ({ id, enabled, source, version, confirmed, cause }) => {
      const fields: ['cause'] = ['cause']
      const row = { id, enabled, source, version, confirmed, location: '', failures: 0, cause }
      await plugins(database).upsert(row, { fields })
      await plugins(database).increment('failures', { by: 1, where: { id } })
    },
    forgive: async (id) => {
      await plugins(database).update(forgiven, { where: { id } })
    },
    remove: async (id) => {
      await plugins(database).destroy({ where: { id } })
    },
  }
}
