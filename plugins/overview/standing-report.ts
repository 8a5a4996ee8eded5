// The state of the gateway beside its figures, read with a few small queries over indexed columns.
import { channelStatus, type DatabaseService, objectIn, role, userStatus } from '#core'
import type { AdminOverview, LowBalance, OffChannel } from './schema.ts'

/** How many of each kind are named; of the others only the number is known. */
const named = 5

interface ChannelRow {
  id: number
  name: string
  type: number
  other_info: string
}

export async function channelsOff(database: DatabaseService): Promise<AdminOverview['channels']> {
  const [counted] = await database.select<{ enabled: number }>(
    'SELECT COUNT(*) AS enabled FROM channels WHERE status = :status',
    { status: channelStatus.enabled },
  )
  const rows = await database.select<ChannelRow>(
    'SELECT id, name, type, other_info FROM channels WHERE status = :status',
    { status: channelStatus.disabledAutomatically },
  )
  const off = rows.map(offChannel).sort((a, b) => b.status_time - a.status_time)
  return {
    enabled: counted?.enabled ?? 0,
    off: off.slice(0, named),
    off_count: off.length,
  }
}

function offChannel({ other_info, ...channel }: ChannelRow): OffChannel {
  const info: Partial<OffChannel> = objectIn(other_info) ?? {}
  const { status_reason = '', status_time = 0 } = info
  return { ...channel, status_reason, status_time }
}

/** Customers who have called and whose balance is nearly used up. `quota` includes what nodes have leased of it. */
export async function balancesLow(
  database: DatabaseService,
  threshold: number,
): Promise<AdminOverview['low_balances']> {
  const low = `deleted_at IS NULL AND status = :status AND role < :admin AND request_count > 0 AND quota < :threshold`
  const values = { threshold, status: userStatus.active, admin: role.admin }
  const [counted] = await database.select<{ count: number }>(
    `SELECT COUNT(*) AS count FROM users WHERE ${low}`,
    values,
  )
  const users = await database.select<LowBalance>(
    `SELECT id, username, quota FROM users WHERE ${low} ORDER BY quota, id LIMIT ${named}`,
    values,
  )
  return { users, count: counted?.count ?? 0, threshold }
}

export async function hasTokens(database: DatabaseService): Promise<boolean> {
  const rows = await database.select('SELECT id FROM tokens WHERE deleted_at IS NULL LIMIT 1')
  return rows.length > 0
}

/** Whether anybody has ever called. */
export async function hasCalls(database: DatabaseService): Promise<boolean> {
  const rows = await database.select('SELECT id FROM users WHERE request_count > 0 LIMIT 1')
  return rows.length > 0
}
