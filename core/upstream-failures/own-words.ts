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
const LONG_EDGE = 4
const SHORT_EDGE = 2
/** Texts of one call that are looked for in a message; others are told apart by how they begin and end. Together with the length of a message
 *  it bounds how long a refused call holds up all others. */
const MOST_LOOKED_FOR = 2_000

/** Nearly every call holds them, so that they are nobody's words in particular. */
const wordsOfProtocols: ReadonlySet<string> = new Set(
  'user assistant system developer tool function text auto model messages content input role type'.split(
    ' ',
  ),
)

/** A message without the names and texts of a body that it repeats with no marks around them; nothing of it, where more of them might stand in it
 *  than are looked for. */
export function withoutSent(message: string, body: unknown): string {
  const texts = likelyTexts(message, body)
  if (texts.size > MOST_LOOKED_FOR) return ''
  let words = message
  for (const text of texts) words = withoutText(words, text)
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
  return isLetter(words.charCodeAt(at - 1)) && isLetter(words.charCodeAt(at))
}

/** What `\w` means. A pattern costs several times as much, and each place of a text is asked about. */
function isLetter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95
  )
}

/** The texts of a body that may stand in a message, each once; one more than are looked for, if there are more. */
function likelyTexts(message: string, body: unknown): ReadonlySet<string> {
  const texts = new Set<string>()
  const edges = edgesIn(message)
  eachText([body], (text) => {
    if (text.length > message.length || !hasEdges(edges, text)) return true
    if (isLongEnough(text) && !wordsOfProtocols.has(text)) texts.add(text)
    return texts.size <= MOST_LOOKED_FOR
  })
  return texts
}

function isLongEnough(text: string): boolean {
  return text.length >= FEWEST_BYTES || Buffer.byteLength(text) >= FEWEST_BYTES
}

/** Which short runs of characters a message holds, by a number that some of them share. */
function edgesIn(message: string): Uint8Array {
  const edges = new Uint8Array(1 << 16)
  for (let at = 0; at < message.length; at++)
    for (const length of [SHORT_EDGE, LONG_EDGE]) edges[edgeAt(message, at, length)] = 1
  return edges
}

/** Most texts of a long body are told apart by how they begin and end, which costs less than a search for each. */
function hasEdges(edges: Uint8Array, text: string): boolean {
  const length = text.length < LONG_EDGE ? SHORT_EDGE : LONG_EDGE
  return (
    edges[edgeAt(text, 0, length)] === 1 && edges[edgeAt(text, text.length - length, length)] === 1
  )
}

/** Without slices, of which a long body would need millions. */
function edgeAt(text: string, at: number, length: number): number {
  let edge = length
  for (let place = at; place < at + length; place++)
    edge = (Math.imul(edge, 31) + text.charCodeAt(place)) & 0xff_ff
  return edge
}

/** Without recursion, because bodies may be deep. Ends when `see` answers `false`. */
function eachText(body: unknown, see: (text: string) => boolean): void {
  const left: unknown[] = [body]
  while (left.length > 0) {
    const value = left.pop()
    if (ArrayBuffer.isView(value)) continue
    if (isObject(value)) for (const name of Object.keys(value)) if (!see(name)) return
    for (const item of itemsOf(value)) {
      if (typeof item === 'string' && !see(item)) return
      if (typeof item === 'object' && item !== null) left.push(item)
    }
  }
}

function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as unknown[]
  return isObject(value) ? Object.values(value) : []
}
