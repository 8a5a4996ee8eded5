// Positions in a text. OpenAI and Anthropic count characters, Google counts UTF-8 bytes, and JavaScript counts UTF-16 units.

/** The number of characters, as Python counts them. */
export function charCount(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    // The first half of a surrogate pair; the second half is counted.
    if (code >= 0xd800 && code <= 0xdbff && isSecondHalf(text, at + 1)) count -= 1
  }
  return count
}

function isSecondHalf(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff
}

/** The number of bytes before a character. */
export function bytesBefore(text: string, chars: number): number {
  return Buffer.byteLength(text.slice(0, unitsBefore(text, chars)))
}

/** The text from one character up to another. */
export function charSlice(text: string, start: number, end: number): string {
  return text.slice(unitsBefore(text, start), unitsBefore(text, end))
}

function unitsBefore(text: string, chars: number): number {
  let left = chars
  let at = 0
  while (left > 0 && at < text.length) {
    const code = text.charCodeAt(at)
    at += code >= 0xd800 && code <= 0xdbff && isSecondHalf(text, at + 1) ? 2 : 1
    left -= 1
  }
  return at
}

/** Where a piece of text occurs that begins about this many bytes in; undefined if it does not occur. */
export function placeOf(
  text: string,
  piece: string,
  aboutBytes: number,
): { start: number; end: number } | undefined {
  if (piece === '') return undefined
  // At or before the real position, because a character has at least as many bytes as UTF-16 units.
  const guess = Math.max(0, Buffer.from(text).subarray(0, aboutBytes).toString().length - 1)
  const found = text.indexOf(piece, guess)
  const at = found < 0 ? text.indexOf(piece) : found
  if (at < 0) return undefined
  const start = charCount(text.slice(0, at))
  return { start, end: start + charCount(piece) }
}
