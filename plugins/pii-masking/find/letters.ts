// Classifies ASCII characters by what they may be part of. All other characters (Chinese, accents) separate words.
const DIGIT = 1
const LETTER = 2
const HEX = 4
const MAILBOX = 8

const classes = new Uint8Array(128)
for (let unit = 48; unit <= 57; unit += 1) classes[unit] = DIGIT | HEX | MAILBOX
for (const first of [65, 97]) {
  for (let unit = first; unit < first + 26; unit += 1)
    classes[unit] = LETTER | MAILBOX | (unit < first + 6 ? HEX : 0)
}
for (const sign of '._%+-') classes[sign.charCodeAt(0)] = MAILBOX

const is = (text: string, at: number, kind: number): boolean =>
  ((classes[text.charCodeAt(at)] ?? 0) & kind) !== 0

export const isDigit = (text: string, at: number): boolean => is(text, at, DIGIT)
export const isLetter = (text: string, at: number): boolean => is(text, at, LETTER)
export const isHex = (text: string, at: number): boolean => is(text, at, HEX)
export const isWord = (text: string, at: number): boolean => is(text, at, DIGIT | LETTER)
/** Characters that may stand before the `@` of an address. */
export const isMailbox = (text: string, at: number): boolean => is(text, at, MAILBOX)

/** Whether a number or word begins here. */
export const beginsWord = (text: string, at: number): boolean =>
  isWord(text, at) && !isWord(text, at - 1)
