// A group that users are in must keep its ratio: without one their calls would cost ratio 1, whatever was agreed with them.
import type { OptionReader } from '../contract/adapter.ts'
import type { DatabaseService } from '../contract/services.ts'
import { users } from '../data/models/user.ts'
import type { ChangeGuard } from '../kernel/options/option-changes.ts'
import { groupInUse } from './account-errors.ts'

interface Deps {
  options: OptionReader
  database: DatabaseService
}

/** Refuses a change of GroupRatio that removes such a group. One that had no ratio before may stay without. */
export function keptGroupsGuard({ options, database }: Deps): ChangeGuard {
  const groups = () => new Set(Object.keys(options.get<Record<string, number>>('GroupRatio')))
  return async ({ stored, changed }) => {
    const left = changed(groups)
    const removed = [...stored(groups)].filter((name) => !left.has(name))
    for (const group of removed) {
      const count = await users(database).count({ where: { group, deleted_at: null } })
      if (count > 0) throw groupInUse({ group, count }, { field: 'GroupRatio' })
    }
  }
}
