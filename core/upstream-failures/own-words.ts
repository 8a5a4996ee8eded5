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
