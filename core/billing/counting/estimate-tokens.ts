// Token counts good enough to reserve by: native string measures only, since every call pays for them.

/** Prose has four to five ASCII characters to a token, code about three. */
const ASCII_CHARS_PER_TOKEN = 3.5
/** What a picture, recording or file inside a body is taken for. */
const MEDIA_TOKENS = 1000
/** Strings that are longer and hold no space in their first part are data, not prose. */
const MEDIA_ABOVE_CHARS = 4096
const MAX_DEPTH = 64

export function estimateTokens(text: string): number {
  // Each character of CJK text adds two bytes to its length in UTF-8, and makes about one token.
  const wide = (Buffer.byteLength(text) - text.length) / 2
  return Math.ceil((text.length - wide) / ASCII_CHARS_PER_TOKEN + wide)
}

/** Tokens of a request body of any dialect: its strings and keys. */
export function estimateBodyTokens(body: unknown, depth = 0): number {
  if (typeof body === 'string') return isMedia(body) ? MEDIA_TOKENS : estimateTokens(body)
  if (typeof body !== 'object' || body === null || depth > MAX_DEPTH) return 1
  let total = 1
  if (Array.isArray(body)) {
    for (const item of body) total += estimateBodyTokens(item, depth + 1)
    return total
  }
  // Parsed JSON has no other fields than its own.
  for (const key in body) {
    const value = (body as Record<string, unknown>)[key]
    total += key.length / ASCII_CHARS_PER_TOKEN + estimateBodyTokens(value, depth + 1)
  }
  return Math.ceil(total)
}

function isMedia(text: string): boolean {
  if (text.startsWith('data:')) return true
  return text.length > MEDIA_ABOVE_CHARS && !/\s/.test(text.slice(0, 1024))
}
