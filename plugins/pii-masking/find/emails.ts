import { isLetter, isMailbox, isWord } from './letters.ts'
import type { Span } from './span.ts'

const LONGEST_MAILBOX = 64
const LONGEST_DOMAIN = 253

/** Searches from each `@` to both sides. Neither side contains another `@`, so no character is read more than twice. */
export function* findEmails(text: string): Generator<Span> {
  let from = 0
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const start = mailboxBefore(text, at, from)
    const end = start < at ? domainAfter(text, at + 1) : undefined
    if (end === undefined) continue
    yield { start, end }
    from = end
  }
}

function mailboxBefore(text: string, at: number, from: number): number {
  let start = at
  const least = Math.max(from, at - LONGEST_MAILBOX)
  while (start > least && isMailbox(text, start - 1)) start -= 1
  while (start < at && !isWord(text, start)) start += 1
  return start
}

/** Labels separated by dots; the address ends with the letters of the last label that has at least two. */
function domainAfter(text: string, from: number): number | undefined {
  const most = Math.min(text.length, from + LONGEST_DOMAIN)
  let end: number | undefined
  for (let label = from; label < most; ) {
    let letters = label
    while (letters < most && isLetter(text, letters)) letters += 1
    let at = letters
    while (at < most && (isWord(text, at) || text[at] === '-')) at += 1
    if (at === label) break
    if (label > from && letters - label > 1) end = letters
    if (text[at] !== '.') break
    label = at + 1
  }
  return end
}
