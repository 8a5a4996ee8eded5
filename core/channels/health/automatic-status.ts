import type { DatabaseService } from '../../contract/services.ts'
import { redactorOf } from '../../secrets/redact.ts'
import { deadKeysOf } from '../keys/multi-key.ts'
import { type AutomaticStatus, channelStatus } from '../../contract/constants.ts'
import { objectIn } from '../../contract/json.ts'
import type { ChannelRow } from '../../data/models/channel.ts'
import { writeStatuses } from './automatic-status-sql.ts'
import { lockChannels } from '../channel-store.ts'

const maxReasonLength = 500

export interface AutomaticChange {
  id: number
  status: AutomaticStatus
  reason: string
  secrets: readonly string[]
  nowSeconds: number
}

/** Disables enabled channels, or enables those that were disabled automatically. Channels that an admin disabled stay
 *  as they are.
 *  @returns one entry per change; undefined if there was nothing to do */
export async function automaticChanges(
  database: DatabaseService,
  changes: readonly AutomaticChange[],
): Promise<({ name: string; reason: string } | undefined)[]> {
  return database.transaction(async (transaction) => {
    const ids = [...new Set(changes.map(({ id }) => id))]
    const found = await lockChannels(database, { id: ids }, transaction)
    const rows = new Map(found.map((row) => [row.id, row]))
    const written = new Map<number, ChannelRow>()
    const outcomes = changes.map((change) => {
      const row = written.get(change.id) ?? rows.get(change.id)
      const changed = row && changeOf(row, change)
      if (changed) written.set(change.id, changed.row)
      return changed && { name: changed.row.name, reason: changed.reason }
    })
    await writeStatuses(database, [...written.values()], transaction)
    return outcomes
  })
}

/** What `other_info` tells once the channel has other keys: the old ones are gone, but a channel that is off remains off,
 *  and why it is stays true until somebody enables it. */
export function withoutDeadKeys({ status, other_info }: Pick<ChannelRow, 'status' | 'other_info'>) {
  if (status !== channelStatus.disabledAutomatically) return ''
  const { status_reason, status_time } = objectIn(other_info) ?? {}
  return status_reason === undefined ? '' : JSON.stringify({ status_reason, status_time })
}

function changeOf(
  row: ChannelRow,
  change: AutomaticChange,
): { row: ChannelRow; reason: string } | undefined {
  const isEnabling = change.status === channelStatus.enabled
  const from = isEnabling ? channelStatus.disabledAutomatically : channelStatus.enabled
  if (row.status !== from) return undefined
  const reason = redactorOf(change.secrets).text(change.reason).slice(0, maxReasonLength)
  const dead = deadKeysOf(row.other_info)
  const kept = dead.length > 0 ? { dead_keys: dead } : {}
  const why = { status_reason: reason, status_time: change.nowSeconds, ...kept }
  // Enabling a channel gives all of its keys another chance.
  const other_info = isEnabling ? '' : JSON.stringify(why)
  return { row: { ...row, status: change.status, other_info }, reason }
}
