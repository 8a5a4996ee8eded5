// Actions of admins on accounts are recorded in the log of the account, with the name of the admin. Values of fields
// are not recorded: a name may have been changed because of what it said.
import {
  type Caller,
  manageRow,
  type PluginServices,
  type Transaction,
  type UserRecord,
} from '#core'

type Account = Pick<UserRecord, 'id' | 'username'>
type Logs = Pick<PluginServices, 'logs'>

/** @param action an action of `/api/user/manage`, or `create` or `remove` */
export function logAction({ logs }: Logs, caller: Caller, target: Account, action: string): void {
  const other = { op: 'user_action', action, by: caller.username }
  logs.write(manageRow(target, `Action ${action} by ${nameOf(caller)}`, other))
}

export interface Edited {
  /** The names of the fields whose values have changed. */
  fields: readonly string[]
  /** The group before and after. */
  groups?: readonly [string, string]
}

export async function logEdit(
  { logs }: Logs,
  caller: Caller,
  target: Account,
  { fields, groups }: Edited,
  transaction: Transaction,
): Promise<void> {
  if (fields.length === 0) return
  const about = groups ? ` (group ${groups.join(' to ')})` : ''
  const content = `Changed by ${nameOf(caller)}: ${fields.join(', ')}${about}`
  const other = { op: 'user_edit', fields, ...(groups ? { groups } : {}), by: caller.username }
  await logs.writeIn(manageRow(target, content, other), transaction)
}

export function nameOf({ id, username }: Caller): string {
  return `${username} (id ${id})`
}
