import type { DatabaseService } from '../contract/services.ts'
import { redactorOf } from '../secrets/redact.ts'
import { deadKeysOf } from './multi-key.ts'
import { type AutomaticStatus, channelStatus } from '../contract/constants.ts'
import { lockChannels, updateChannels } from './channel-store.ts'

const maxReasonLength = 500

/** Disables an enabled channel, or enables one that was disabled automatically; what an admin disabled is left alone.
 *  @returns undefined when there was nothing to change */
export async function automaticChange(
  database: DatabaseService,
  change: {
    id: number
    status: AutomaticStatus
    reason: string
    keys: readonly string[]
    nowSeconds: number
  },
): Promise<{ name: string; reason: string } | undefined> {
  const reason = redactorOf(change.keys).text(change.reason).slice(0, maxReasonLength)
  const from =
    change.status === channelStatus.enabled
      ? channelStatus.disabledAutomatically
      : channelStatus.enabled
  const why = { status_reason: reason, status_time: change.nowSeconds }
  return database.transaction(async (transaction) => {
    const wanted = { id: change.id, status: from }
    const [row] = await lockChannels(database, wanted, transaction)
    if (row === undefined) return undefined
    const dead = deadKeysOf(row.other_info)
    const kept = dead.length > 0 ? { dead_keys: dead } : {}
    // Enabled anew, all keys get another chance.
    const otherInfo =
      change.status === channelStatus.enabled ? '' : JSON.stringify({ ...why, ...kept })
    const columns = { status: change.status, other_info: otherInfo }
    await updateChannels(database, [row.id], columns, transaction)
    return { name: row.name, reason }
  })
}
