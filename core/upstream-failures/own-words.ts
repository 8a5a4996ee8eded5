import { isObject } from '../contract/json.ts'

/** Marks in pairs, as messages put them around what a caller has sent. */
const pairs = ['""', '``', '“”', '「」'] as const

/** Stands for a character that is not the upstream's own, so that all places stay those of the message. */
const GONE = '\0'

/** Characters of a message that decide about a failure, since the texts of a whole call are looked for in them. */
export const MOST_JUDGED = 1_000

/** What an upstream says itself, without what it quotes: those may be the caller's words, and would decide about a channel. As they may hold marks
 *  too, everything from the first mark to the last is left out. */
export function ownWords(message: string): string {
  return told(withoutQuoted(message))
}

/** The beginning of what an upstream says itself to a call, also without the names and texts of its body that it repeats with no marks around them.
 *  Both are looked for in the message as it came: without one of them, the rest of another might read as the upstream's own. Nothing, where more texts
 *  might stand in it than are looked for. */
export function ownWordsTo(body: unknown, message: string): string {
  const sent = sentIn(message, body)
  if (sent === undefined) return ''
  const unquoted = withoutQuoted(message)
  let words = ''
  for (let at = 0; at < sent.length; at++) words += sent[at] === 1 ? GONE : unquoted.charAt(at)
  return told(words)
}

function told(words: string): string {
  return words.replaceAll(/\0+/g, ' ')
}

function withoutQuoted(message: string): string {
  let words = message
  for (const [open = '', close = ''] of pairs)
    words = without(words, words.indexOf(open), words.lastIndexOf(close))
  return without(words, words.search(/(?<!\w)'/), lastClosingApostrophe(words))
}

function without(message: string, first: number, last: number): string {
  return first < 0 || last <= first
    ? message
    : message.slice(0, first) + GONE.repeat(last + 1 - first) + message.slice(last + 1)
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
/** Texts of one call that are looked for in a message, and how long they are together; others are told apart by how they begin and end. With
 *  what is judged of a message it bounds how long a refused call holds up all others. */
const MOST_LOOKED_FOR = 2_000
const MOST_CHARACTERS = 300_000

/** Nearly every call holds them, so that they are nobody's words in particular. */
const wordsOfProtocols: ReadonlySet<string> = new Set(
  'user assistant system developer tool function text auto model messages content input role type'.split(
    ' ',
  ),
)

/** Marks which characters of the judged beginning of a message stand in texts of a body. Undefined where there are too many of them to look for. */
function sentIn(message: string, body: unknown): Uint8Array | undefined {
  // A text that begins in what is judged may end beyond it.
  const beginning = message.slice(0, 2 * MOST_JUDGED)
  const texts = likelyTexts(beginning, body)
  if (texts === undefined) return undefined
  const sent = new Uint8Array(Math.min(message.length, MOST_JUDGED))
  for (const text of texts) mark(sent, beginning, text)
  return sent
}

/** Marks a text where it stands by itself: "auto" is no part of "authorized". Of a long one that may be the middle of a word. */
function mark(sent: Uint8Array, message: string, text: string): void {
  for (let at = message.indexOf(text); at >= 0; at = message.indexOf(text, at + 1)) {
    const end = at + text.length
    const isCut = text.length === MOST_JUDGED
    if (!isInWord(message, at) && (isCut || !isInWord(message, end))) sent.fill(1, at, end)
  }
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

/** The texts of a body that may stand in a message, each once, and of long ones as much as is judged; undefined if there are more than are
 *  looked for. */
function likelyTexts(message: string, body: unknown): ReadonlySet<string> | undefined {
  const texts = new Set<string>()
  const edges = edgesIn(message)
  let characters = 0
  const isAll = eachText([body], (whole) => {
    const text = whole.length > MOST_JUDGED ? whole.slice(0, MOST_JUDGED) : whole
    if (text.length > message.length || !hasEdges(edges, text)) return true
    if (!isLongEnough(text) || wordsOfProtocols.has(text) || texts.has(text)) return true
    texts.add(text)
    characters += text.length
    return texts.size <= MOST_LOOKED_FOR && characters <= MOST_CHARACTERS
  })
  return isAll ? texts : undefined
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

/** Without recursion, because bodies may be deep. Ends when `see` answers `false`, and answers that. */
function eachText(body: unknown, see: (text: string) => boolean): boolean {
  const left: unknown[] = [body]
  while (left.length > 0) {
    const value = left.pop()
    if (ArrayBuffer.isView(value)) continue
    if (isObject(value)) for (const name of Object.keys(value)) if (!see(name)) return false
    for (const item of itemsOf(value)) {
      if (typeof item === 'string' && !see(item)) return false
      if (typeof item === 'object' && item !== null) left.push(item)
    }
  }
  return true
}

function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as unknown[]
  return isObject(value) ? Object.values(value) : []
}
