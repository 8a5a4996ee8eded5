import type { Adapter } from '../contract/adapter.ts'
import type { DatabaseService, SecretService } from '../contract/services.ts'
import { redactorOf } from '../secrets/redact.ts'
import { channelStatus } from '../contract/constants.ts'
import { lockChannels, updateChannels } from './channel-store.ts'
import { deadKeysOf, isMultiKey, keysOf } from './multi-key.ts'
import { parseSetting } from './routed-channel.ts'

const maxReasonLength = 200

/** Marks one key of an enabled channel as dead.
 *  @returns `last` when no other is alive, and nothing was marked; `unknown` when the channel has no such key any more */
export async function markInvalidCredentials(
  {
    database,
    secrets,
    adapterOf,
  }: {
    database: DatabaseService
    secrets: SecretService
    adapterOf: (type: number) => Adapter | undefined
  },
  change: { id: number; key: string; reason: string; nowSeconds: number },
): Promise<'marked' | 'last' | 'unknown'> {
  return database.transaction(async (transaction) => {
    const wanted = { id: change.id, status: channelStatus.enabled }
    const [row] = await lockChannels(database, wanted, transaction)
    const setting = parseSetting(row?.setting ?? '')
    if (row === undefined || !isMultiKey(setting)) return 'unknown'
    const keys = keysOf(secrets.decrypt(row.key), setting, adapterOf(row.type))
    const position = keys.indexOf(change.key) + 1
    if (position === 0) return 'unknown'
    const dead = deadKeysOf(row.other_info).filter((entry) => entry.position !== position)
    if (dead.length + 1 >= keys.length) return 'last'
    const reason = redactorOf(keys).text(change.reason).slice(0, maxReasonLength)
    dead.push({ position, reason, time: change.nowSeconds })
    const otherInfo = JSON.stringify({ keys: keys.length, dead_keys: dead })
    await updateChannels(database, [row.id], { other_info: otherInfo }, transaction)
    return 'marked'
  })
}
