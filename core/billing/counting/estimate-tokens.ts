// Estimates token counts for reservations. Every call pays for this, so only native string functions are used.

/** Prose has four to five ASCII characters per token, code about three. */
const ASCII_CHARS_PER_TOKEN = 3.5
/** The assumed size of a picture, recording or file inside a body. */
const MEDIA_TOKENS = 1000
/** Longer strings without a space in their first part are data, not prose. */
const MEDIA_ABOVE_CHARS = 4096
const MAX_DEPTH = 64

export function estimateTokens(text: string): number {
  // Each character of CJK text adds two bytes to the length in UTF-8 and is about one token.
  const wide = (Buffer.byteLength(text) - text.length) / 2
  return Math.ceil((text.length - wide) / ASCII_CHARS_PER_TOKEN + wide)
}

/** Estimates the tokens of a request body of any dialect from its strings and keys. */
export function estimateBodyTokens(body: unknown, depth = 0): number {
  if (typeof body === 'string') return isMedia(body) ? MEDIA_TOKENS : estimateTokens(body)
  if (typeof body !== 'object' || body === null || depth > MAX_DEPTH) return 1
  let total = 1
  if (Array.isArray(body)) {
    for (const item of body) total += estimateBodyTokens(item, depth + 1)
    return total
  }
  // Parsed JSON has own properties only.
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
