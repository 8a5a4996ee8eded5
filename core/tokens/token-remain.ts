// A token is edited as a whole while calls spend it: what they have spent since the page was read stays spent.
import type { ShownToken } from '../contract/channel-services.ts'
import type { TokenRow } from '../data/models/token.ts'

type Stored = Pick<TokenRow, 'created_time' | 'remain_quota' | 'unlimited_quota' | 'used_quota'>

/** The units left after an edit. If it is known what the page had read, the difference to it is applied, and an
 *  unchanged value is not written. Otherwise the sent value counts. */
export function remainAfter(stored: Stored, sent: number, shown: ShownToken): number {
  const before = shownRemain(stored, shown)
  if (before === undefined) return sent
  if (sent === before) return stored.remain_quota
  // Returned as it is; a later check refuses it.
  if (sent < 0) return sent
  return Math.max(0, stored.remain_quota + sent - before)
}

/** Clients that parse the record into their own types lose the field, and send the other fields back. The creation time
 *  tells such records from new ones with the client's own values. */
function shownRemain(stored: Stored, shown: ShownToken): number | undefined {
  if (shown.remain_quota !== undefined) return shown.remain_quota
  if (shown.used_quota === undefined || shown.created_time !== stored.created_time) return undefined
  const spentSince = stored.unlimited_quota ? 0 : stored.used_quota - shown.used_quota
  return stored.remain_quota + spentSince
}
