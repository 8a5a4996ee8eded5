// Numbers that people write in groups: payment cards and telephones. Each group begins a number by itself, and none is longer than
// MOST characters, so that the work is in proportion to the text.
import { isLuhn } from './checksums.ts'
import { isDigit, isWord } from './letters.ts'
import type { Span } from './span.ts'

/** Characters of a number, signs between its groups included, and its groups. */
const MOST = 32
const MOST_GROUPS = 7

interface Group {
  start: number
  end: number
  /** What stands between it and the group before. */
  sign: string
}

/** 13 to 19 digits in one piece, or in groups of three to six. */
export function* findCards(text: string): Generator<Span> {
  yield* findNumbers(text, (groups) => {
    let digits = ''
    let end: number | undefined
    for (const [at, group] of groups.entries()) {
      if (at > 0 && group.sign !== ' ' && group.sign !== '-') break
      const length = group.end - group.start
      if (at === 0 ? length < 4 : length < 2 || length > 7) break
      digits += text.slice(group.start, group.end)
      if (digits.length > 19) break
      if (isCard(digits)) end = group.end
    }
    return end
  })
}

function isCard(digits: string): boolean {
  const first = digits[0] ?? ''
  return digits.length >= 13 && first >= '2' && first <= '6' && isLuhn(digits)
}

/** Numbers with a country's prefix, Chinese mobiles in any form, and those of other countries that their groups give away. */
export function* findPhones(text: string): Generator<Span> {
  yield* findNumbers(text, (groups) => {
    const [first] = groups
    if (!first) return undefined
    if (hasPlus(text, first.start)) return internationalEnd(groups)
    const whole = (count: number) => groups.slice(0, count).map(({ start, end }) => end - start)
    return chineseMobileEnd(text, groups) ?? groupedEnd(text, groups, whole)
  })
}

/** 8 to 15 digits (ITU-T E.164). */
function internationalEnd(groups: readonly Group[]): number | undefined {
  let count = 0
  let end: number | undefined
  for (const group of groups) {
    count += group.end - group.start
    if (count > 15) break
    if (count >= 8) ({ end } = group)
  }
  return end
}

/** 1 and ten digits, the second from 3 on: in one piece, or in groups of 3, 4 and 4; with 86 before it or without. */
function chineseMobileEnd(text: string, all: readonly Group[]): number | undefined {
  const [first] = all
  const prefix = first && text.slice(first.start, first.end)
  const isPrefix = prefix === '86' || prefix === '0086'
  const groups = isPrefix ? all.slice(1) : all
  const isSplit =
    lengthOf(groups[0]) === 3 && lengthOf(groups[1]) === 4 && lengthOf(groups[2]) === 4
  const last = groups[isSplit ? 2 : 0]
  if (!last || !groups[0]) return undefined
  const digits = (isSplit ? groups.slice(0, 3) : groups.slice(0, 1))
    .map(({ start, end }) => text.slice(start, end))
    .join('')
  return /^(?:00)?(?:86)?1[3-9]\d{9}$/.test(digits) ? last.end : undefined
}

/** (555) 123-4567, 555-123-4567, 1-555-123-4567, 030 12345678, 0571-87654321, 020 7946 0958, 06 12 34 56 78 */
function groupedEnd(
  text: string,
  groups: readonly Group[],
  lengths: (count: number) => number[],
): number | undefined {
  const isAmerican = (from: number) =>
    lengths(from + 3)
      .slice(from)
      .join() === '3,3,4' && text[groups[from]?.start ?? 0] !== '0'
  if (isAmerican(0)) return groups[2]?.end
  if (lengths(1)[0] === 1 && text[groups[0]?.start ?? 0] === '1' && isAmerican(1))
    return groups[3]?.end
  if (text[groups[0]?.start ?? 0] !== '0' || groups.length < 2) return undefined
  if (lengths(5).join() === '2,2,2,2,2') return groups[4]?.end
  if (lengthOf(groups[0]) < 3 || lengthOf(groups[0]) > 5) return undefined
  let count = 0
  let end: number | undefined
  for (const [at, group] of groups.entries()) {
    count += lengthOf(group)
    if (count > 12) break
    if (at > 0 && count >= 9) ({ end } = group)
  }
  return end
}

function lengthOf(group: Group | undefined): number {
  return group ? group.end - group.start : 0
}

/** Asks of each group whether a number begins with it, and goes on behind the number. */
function* findNumbers(
  text: string,
  endOf: (groups: readonly Group[]) => number | undefined,
): Generator<Span> {
  for (let at = 0; at < text.length; at += 1) {
    if (!isDigit(text, at) || isWord(text, at - 1)) continue
    const groups = groupsFrom(text, at)
    const end = endOf(groups)
    const start = end === undefined ? at : startOf(text, at, end)
    if (end !== undefined) yield { start, end }
    at = (end ?? groups[0]?.end ?? at + 1) - 1
  }
}

/** A plus or an opening bracket belongs to its number. */
function startOf(text: string, at: number, end: number): number {
  let start = at
  if (text[start - 1] === '(' && text.slice(at, end).includes(')')) start -= 1
  return hasPlus(text, start) ? start - 1 : start
}

/** In `a+12345678` it is an addition. */
function hasPlus(text: string, at: number): boolean {
  return text[at - 1] === '+' && !isWord(text, at - 2)
}

/** Digits with one sign between them, or a bracket and a blank. A group that goes on as a word ends the number before itself. */
function groupsFrom(text: string, from: number): Group[] {
  const groups: Group[] = []
  let sign = ''
  for (let start = from; start - from < MOST && groups.length < MOST_GROUPS; ) {
    let end = start
    while (end - from < MOST && isDigit(text, end)) end += 1
    if (end === start || isWord(text, end)) break
    groups.push({ start, end, sign })
    const next = afterSigns(text, end)
    sign = text.slice(end, next)
    start = next
  }
  return groups
}

const signs = [') ', ')-', ')', ' (', ' ', '-', '.', '/']

function afterSigns(text: string, from: number): number {
  const sign = signs.find((one) => text.startsWith(one, from))
  return from + (sign?.length ?? 0)
}
