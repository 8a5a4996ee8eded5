import { ibanLengths, isChineseId, isIban } from './checksums.ts'
import { beginsWord, isDigit, isLetter, isWord } from './letters.ts'
import type { Span } from './span.ts'

const CHINESE_ID = 18

/** Finds Chinese identity numbers, which are written in one piece. */
export function* findChineseIds(text: string): Generator<Span> {
  for (let at = 0; at < text.length; at += 1) {
    if (!beginsWord(text, at) || !isDigit(text, at)) continue
    let end = at
    while (end - at < CHINESE_ID - 1 && isDigit(text, end)) end += 1
    const isLast = isDigit(text, end) || text[end] === 'X' || text[end] === 'x'
    const hasLength = end - at === CHINESE_ID - 1 && isLast && !isWord(text, end + 1)
    if (hasLength && isChineseId(text.slice(at, end + 1))) {
      yield { start: at, end: end + 1 }
      at = end
    } else at = Math.max(at, end - 1)
  }
}

/** Finds international bank account numbers, in one piece or with single spaces inside. */
export function* findIbans(text: string): Generator<Span> {
  for (let at = 0; at < text.length; at += 1) {
    if (!beginsWord(text, at) || !isLetter(text, at) || !isDigit(text, at + 2)) continue
    const length = ibanLengths.get(text.slice(at, at + 2).toUpperCase())
    const end = length === undefined ? undefined : endOfAccount(text, at, length)
    if (end === undefined) continue
    yield { start: at, end }
    at = end - 1
  }
}

function endOfAccount(text: string, from: number, length: number): number | undefined {
  let account = ''
  let at = from
  while (account.length < length) {
    if (text[at] === ' ' && account.length > 3 && isWord(text, at + 1)) at += 1
    if (!isWord(text, at)) return undefined
    account += text[at]
    at += 1
  }
  return !isWord(text, at) && isIban(account) ? at : undefined
}
