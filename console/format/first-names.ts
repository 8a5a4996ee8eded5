import type { Texts } from '../texts/use-texts.ts'
import { formatExact } from './quota.ts'

const MOST_NAMES = 20

/** Names for a tooltip, which has no room for thousands: the first ones, and how many more there are. */
export function firstNames(names: readonly string[], t: Texts): string {
  const rest = names.length - MOST_NAMES
  const shown = names.slice(0, MOST_NAMES).join(', ')
  return rest > 0 ? `${shown} ${t('bulk.rest', { count: formatExact(rest) })}` : shown
}
