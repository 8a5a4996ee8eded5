// The table of plugins as the kernel asks for them, for it knows no database.
import type { DatabaseService } from '../contract/services.ts'
import { plainRows } from '../data/models/define-model.ts'
import { plugins } from '../data/models/plugin.ts'
import type { PluginTable } from '../kernel/plugin-records.ts'

export function pluginTable(database: DatabaseService): PluginTable {
  const forgiven = { failures: 0, cause: '' }
  return {
    read: async () => plainRows(await plugins(database).findAll()),
    write: async ({ id, enabled, source }) => {
      // Where it was found first stays.
      const fields: ('enabled' | 'failures' | 'cause')[] = ['enabled', 'failures', 'cause']
      await plugins(database).upsert({ id, enabled, source, location: '', ...forgiven }, { fields })
    },
    fail: async ({ id, enabled, source, cause }) => {
      const fields: ['cause'] = ['cause']
      const row = { id, enabled, source, location: '', failures: 0, cause }
      await plugins(database).upsert(row, { fields })
      await plugins(database).increment('failures', { by: 1, where: { id } })
    },
    forgive: async (id) => {
      await plugins(database).update(forgiven, { where: { id } })
    },
  }
}
