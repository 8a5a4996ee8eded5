// Finds numbers that people write in groups of digits: payment cards and telephone numbers. The text is divided into
// groups once, and a number has at most MOST_GROUPS of them, so the time is proportional to the length of the text.
import { isLuhn } from './checksums.ts'
import { isDigit, isWord } from './letters.ts'
import type { Span } from './span.ts'

const MOST_GROUPS = 7

interface Group {
  start: number
  end: number
  /** The characters between this group and the one before; empty where they cannot belong to one number. */
  sign: string
}

/** Returns the end of the number that begins with the first group, or undefined where no number begins there. */
type EndOf = (text: string, groups: readonly Group[]) => number | undefined

/** Finds 13 to 19 digits, in one piece or in groups of which the first has at least four. */
export function findCards(text: string): Iterable<Span> {
  return findNumbers(text, cardEnd)
}

function cardEnd(text: string, groups: readonly Group[]): number | undefined {
  if (lengthOf(groups[0]) < 4) return undefined
  let digits = ''
  let end: number | undefined
  for (const [at, group] of groups.entries()) {
    if (at > 0 && ((group.sign !== ' ' && group.sign !== '-') || lengthOf(group) > 7)) break
    if (digits.length + lengthOf(group) > 19) break
    digits += text.slice(group.start, group.end)
    if (isCard(digits)) ({ end } = group)
  }
  return end
}

function isCard(digits: string): boolean {
  const first = digits[0] ?? ''
  return digits.length >= 13 && first >= '2' && first <= '6' && isLuhn(digits)
}

/** Finds numbers with a country prefix, Chinese mobile numbers in any form, and national numbers whose groups are
 *  typical of their country. */
export function findPhones(text: string): Iterable<Span> {
  return findNumbers(text, phoneEnd)
}

function phoneEnd(text: string, groups: readonly Group[]): number | undefined {
  const [first] = groups
  if (!first) return undefined
  if (hasPlus(text, first.start)) return internationalEnd(groups)
  return (
    chineseMobileEnd(text, groups) ??
    americanEnd(text, groups, 0) ??
    (text[first.start] === '1' && lengthOf(first) === 1
      ? americanEnd(text, groups, 1)
      : undefined) ??
    (text[first.start] === '0' ? trunkEnd(groups) : undefined)
  )
}

/** 8 to 15 digits (ITU-T E.164). */
function internationalEnd(groups: readonly Group[]): number | undefined {
  return endWithin(groups, { least: 8, most: 15 })
}

/** The end of the longest run of groups with so many digits. */
function endWithin(
  groups: readonly Group[],
  { least, most }: { least: number; most: number },
): number | undefined {
  let count = 0
  let end: number | undefined
  for (const group of groups) {
    count += lengthOf(group)
    if (count > most) break
    if (count >= least) ({ end } = group)
  }
  return end
}

/** Eleven digits, of which the first is 1 and the second at least 3: in one piece or in groups of 3, 4 and 4, with
 *  or without 86 before them. */
function chineseMobileEnd(text: string, groups: readonly Group[]): number | undefined {
  const [first] = groups
  if (!first || lengthOf(first) > 15) return undefined
  const prefix = text.slice(first.start, first.end)
  const from = prefix === '86' || prefix === '0086' ? 1 : 0
  const isSplit = hasLengths(groups, from, [3, 4, 4])
  const digits = groups
    .slice(from, isSplit ? from + 3 : from + 1)
    .map(({ start, end }) => text.slice(start, Math.min(end, start + 16)))
    .join('')
  const last = groups[isSplit ? from + 2 : from]
  return /^(?:00)?(?:86)?1[3-9]\d{9}$/.test(digits) ? last?.end : undefined
}

/** (555) 123-4567, 555-123-4567, 1-555-123-4567 */
function americanEnd(text: string, groups: readonly Group[], from: number): number | undefined {
  const isMeant = hasLengths(groups, from, [3, 3, 4]) && text[groups[from]?.start ?? 0] !== '0'
  return isMeant ? groups[from + 2]?.end : undefined
}

/** 030 12345678, 0571-87654321, 020 7946 0958, 06 12 34 56 78 */
function trunkEnd(groups: readonly Group[]): number | undefined {
  if (hasLengths(groups, 0, [2, 2, 2, 2, 2])) return groups[4]?.end
  const first = lengthOf(groups[0])
  if (first < 3 || first > 5) return undefined
  const end = endWithin(groups, { least: 9, most: 12 })
  return end === groups[0]?.end ? undefined : end
}

function hasLengths(groups: readonly Group[], from: number, lengths: readonly number[]): boolean {
  return lengths.every((length, at) => lengthOf(groups[from + at]) === length)
}

function lengthOf(group: Group | undefined): number {
  return group ? group.end - group.start : 0
}

/** Tries each group as the beginning of a number, and continues after the number that is found. */
function* findNumbers(text: string, endOf: EndOf): Generator<Span> {
  /** Consecutive groups that may belong to one number. */
  const chain: Group[] = []
  let from = 0
  const next = (): Span | undefined => {
    const first = chain[0]
    const end = first && first.start >= from ? endOf(text, chain) : undefined
    chain.shift()
    if (!first || end === undefined) return undefined
    from = end
    return { start: startOf(text, first.start, end), end }
  }
  for (const group of groupsOf(text)) {
    while (chain.length > 0 && (group.sign === '' || chain.length === MOST_GROUPS)) {
      const found = next()
      if (found) yield found
    }
    chain.push(group)
  }
  while (chain.length > 0) {
    const found = next()
    if (found) yield found
  }
}

/** A plus sign or an opening bracket before a number belongs to it. */
function startOf(text: string, at: number, end: number): number {
  let start = at
  if (text[start - 1] === '(' && text.slice(at, end).includes(')')) start -= 1
  return hasPlus(text, start) ? start - 1 : start
}

/** The plus sign in `a+12345678` is an addition. */
function hasPlus(text: string, at: number): boolean {
  return text[at - 1] === '+' && !isWord(text, at - 2)
}

/** Runs of digits that are not part of a word. */
function* groupsOf(text: string): Generator<Group> {
  let last = -1
  for (let start = 0; start < text.length; start += 1) {
    if (!isDigit(text, start)) continue
    let end = start + 1
    while (isDigit(text, end)) end += 1
    if (!isWord(text, start - 1) && !isWord(text, end)) {
      yield { start, end, sign: last < 0 ? '' : signBetween(text, last, start) }
      last = end
    } else last = -1
    start = end
  }
}

const signs: ReadonlySet<string> = new Set([') ', ')-', ')', ' (', ' ', '-', '.', '/'])

function signBetween(text: string, from: number, to: number): string {
  if (to - from > 2) return ''
  const sign = text.slice(from, to)
  return signs.has(sign) ? sign : ''
}
