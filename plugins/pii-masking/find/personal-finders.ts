import type { CountedKind, PersonalKind } from '../schema.ts'
import { findAddresses } from './addresses.ts'
import { findEmails } from './emails.ts'
import { findChineseIds, findIbans } from './identities.ts'
import { findCards, findPhones } from './numbers.ts'
import { narrow } from './narrow.ts'
import type { Finder, Span } from './span.ts'

/** A search, and the name of what it finds in marks. */
export interface Search {
  kind: CountedKind
  name: string
  find: Finder
}

export const personalSearches: Readonly<Record<PersonalKind, Search>> = {
  email: { kind: 'email', name: 'EMAIL', find: findEmails },
  iban: { kind: 'iban', name: 'IBAN', find: findIbans },
  chinese_id: { kind: 'chinese_id', name: 'ID', find: findChineseIds },
  card: { kind: 'card', name: 'CARD', find: findCards },
  phone: { kind: 'phone', name: 'PHONE', find: findPhones },
  ip: { kind: 'ip', name: 'IP', find: findAddresses },
}

export interface Finding extends Span {
  search: Search
}

/** Returns spans in order and without overlaps: overlapping spans are merged, under the name of the search that
 *  comes first. The operator's own patterns read the unchanged text. */
export function findAll(text: string, searches: readonly Search[]): Finding[] {
  const found: (Finding & { rank: number })[] = []
  const narrowed = narrow(text)
  for (const [rank, search] of searches.entries()) {
    const searched = search.kind === 'custom' ? text : narrowed
    for (const { start, end } of search.find(searched)) found.push({ start, end, search, rank })
  }
  if (found.length < 2) return found
  found.sort((one, other) => one.start - other.start)
  const kept: typeof found = []
  for (const one of found) {
    const last = kept.at(-1)
    if (!last || last.end <= one.start) {
      kept.push(one)
      continue
    }
    last.end = Math.max(last.end, one.end)
    if (one.rank < last.rank) Object.assign(last, { search: one.search, rank: one.rank })
  }
  return kept
}
