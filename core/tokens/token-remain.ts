// A token is edited as a whole, and calls spend it meanwhile: what they spent since the page was read stays spent.
import type { ShownToken } from '../contract/channel-services.ts'
import type { TokenRow } from '../data/models/token.ts'

type Stored = Pick<TokenRow, 'created_time' | 'remain_quota' | 'unlimited_quota' | 'used_quota'>

/** The units that are left after an edit. Where it is known what the page showed, the difference to it counts; what was not changed is not
 *  written. Else it is what was sent. */
export function remainAfter(stored: Stored, sent: number, shown: ShownToken): number {
  const before = shownRemain(stored, shown)
  if (before === undefined) return sent
  if (sent === before) return stored.remain_quota
  // For the rule that refuses it.
  if (sent < 0) return sent
  return Math.max(0, stored.remain_quota + sent - before)
}

/** Programs with a type of their own for the record drop the field and send the rest back. By its time they are told from those that send an empty
 *  record with their own values. */
function shownRemain(stored: Stored, shown: ShownToken): number | undefined {
  if (shown.remain_quota !== undefined) return shown.remain_quota
  if (shown.used_quota === undefined || shown.created_time !== stored.created_time) return undefined
  const spentSince = stored.unlimited_quota ? 0 : stored.used_quota - shown.used_quota
  return stored.remain_quota + spentSince
}
