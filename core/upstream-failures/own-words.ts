import { isObject } from '../contract/json.ts'

/** Marks in pairs, as messages put them around what a caller has sent. */
const pairs = ['""', '``', '“”', '「」'] as const

/** What an upstream says itself, without what it quotes: those may be the caller's words, and would decide about a channel. As they may hold marks
 *  too, everything from the first mark to the last is left out. */
export function ownWords(message: string): string {
  let words = message
  for (const [open = '', close = ''] of pairs)
    words = without(words, words.indexOf(open), words.lastIndexOf(close))
  return without(words, words.search(/(?<!\w)'/), lastClosingApostrophe(words))
}

function without(message: string, first: number, last: number): string {
  return first < 0 || last <= first
    ? message
    : `${message.slice(0, first)} ${message.slice(last + 1)}`
}

/** An apostrophe inside a word closes no quotation. */
function lastClosingApostrophe(message: string): number {
  let at = message.lastIndexOf("'")
  while (at > 0 && /\w/.test(message.charAt(at + 1))) at = message.lastIndexOf("'", at - 1)
  return at
}

/** Shorter texts of a client stand in many sentences by chance. */
const FEWEST_BYTES = 4
const LONG_START = 4
const SHORT_START = 2

/** Nearly every call holds them, so that they are nobody's words in particular. */
const wordsOfProtocols: ReadonlySet<string> = new Set(
  'user assistant system developer tool function text auto model messages content input role type'.split(
    ' ',
  ),
)

/** A message without the names and texts of a body that it repeats with no marks around them. */
export function withoutSent(message: string, body: unknown): string {
  let words = message
  let starts = startsIn(words)
  for (const text of textsIn(body)) {
    if (!starts.has(startOf(text)) || Buffer.byteLength(text) < FEWEST_BYTES) continue
    if (wordsOfProtocols.has(text)) continue
    const rest = withoutText(words, text)
    if (rest === words) continue
    words = rest
    starts = startsIn(words)
  }
  return words
}

/** Without a text where it stands by itself: "auto" is no part of "authorized". */
function withoutText(words: string, text: string): string {
  let rest = ''
  let from = 0
  for (let at = words.indexOf(text); at >= 0; at = words.indexOf(text, at + 1)) {
    const end = at + text.length
    if (at < from || isInWord(words, at) || isInWord(words, end)) continue
    rest += `${words.slice(from, at)} `
    from = end
  }
  return rest + words.slice(from)
}

/** Whether letters stand on both sides of a place. */
function isInWord(words: string, at: number): boolean {
  return /\w/.test(words.charAt(at - 1)) && /\w/.test(words.charAt(at))
}

/** Most texts of a long body are told apart by how they begin, which costs less than a search for each. */
function startOf(text: string): string {
  return text.slice(0, text.length < LONG_START ? SHORT_START : LONG_START)
}

function startsIn(words: string): ReadonlySet<string> {
  const starts = new Set<string>()
  for (let at = 0; at < words.length; at++)
    starts.add(words.slice(at, at + SHORT_START)).add(words.slice(at, at + LONG_START))
  return starts
}

/** Without recursion, because bodies may be deep. */
function* textsIn(body: unknown): Generator<string> {
  const left: unknown[] = [body]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string') yield value
    else if (Array.isArray(value)) for (const item of value as unknown[]) left.push(item)
    else if (isObject(value) && !ArrayBuffer.isView(value))
      for (const [name, item] of Object.entries(value)) left.push(item, name)
  }
}
