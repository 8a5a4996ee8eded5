import { isHex, isWord } from './letters.ts'
import type { Span } from './span.ts'

/** The longest form: eight groups of four digits and seven colons, or six groups and an IPv4 address. */
const LONGEST = 45

/** Finds IP addresses of both versions. */
export function* findAddresses(text: string): Generator<Span> {
  for (let at = 0; at < text.length; at += 1) {
    if (!isHex(text, at) && text[at] !== ':') continue
    if (isPart(text, at - 1)) continue
    let end = at
    while (end - at <= LONGEST && (isHex(text, end) || text[end] === ':' || text[end] === '.'))
      end += 1
    // An address inside a longer word is none. A full stop or colon at the end belongs to the sentence.
    const isWhole = end - at <= LONGEST && !isWord(text, end)
    let last = end
    while (last > at && isStop(text, last - 1)) last -= 1
    const length = isWhole ? addressAtStart(text.slice(at, last)) : 0
    if (length > 0) yield { start: at, end: at + length }
    at = Math.max(at, end - 1)
  }
}

const isPart = (text: string, at: number): boolean =>
  isWord(text, at) || text[at] === ':' || (text[at] === '.' && isWord(text, at - 1))

/** The colons at the end of `1::` belong to the address. */
const isStop = (text: string, at: number): boolean =>
  text[at] === '.' || (text[at] === ':' && text[at - 1] !== ':')

/** The length of the address at the start of the text, or 0. A port may follow an IPv4 address. */
function addressAtStart(text: string): number {
  const colon = text.indexOf(':')
  if (colon >= 0 && isSixth(text)) return text.length
  const fourth = colon < 0 ? text : text.slice(0, colon)
  return isFourth(fourth) ? fourth.length : 0
}

function isFourth(text: string): boolean {
  const parts = text.split('.')
  return (
    parts.length === 4 &&
    parts.every((part) => part.length < 4 && part !== '' && isNumber(part) && Number(part) < 256)
  )
}

const isNumber = (text: string): boolean => /^\d+$/.test(text)

/** An IPv6 address contains at least one digit: `a::b` is more often a name in a program. */
function isSixth(text: string): boolean {
  const tail = text.includes('.') ? text.slice(text.lastIndexOf(':') + 1) : undefined
  if (tail !== undefined && !isFourth(tail)) return false
  const groups = (tail === undefined ? text : `${text.slice(0, -tail.length)}0:0`).split('::')
  if (groups.length > 2 || !/\d/.test(text)) return false
  const parts = groups.flatMap((group) => (group === '' ? [] : group.split(':')))
  const isFull = groups.length === 1 ? parts.length === 8 : parts.length < 8
  return isFull && parts.every((part) => part.length > 0 && part.length < 5 && !part.includes('.'))
}
