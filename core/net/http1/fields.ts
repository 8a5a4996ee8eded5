// Names and values of header fields (RFC 9110 section 5), in requests and answers.

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const beyondValue = /[^\t\x20-\x7e\x80-\xff]/

/** The same names come again and again, so the first ones are remembered. Further names are checked each time. */
const MOST_KNOWN_NAMES = 500
const knownNames = new Map<string, string>()

/** The name in lower case; undefined if it is not a valid name. */
export function fieldName(text: string): string | undefined {
  const known = knownNames.get(text)
  if (known !== undefined) return known
  if (!token.test(text)) return undefined
  const name = text.toLowerCase()
  if (knownNames.size < MOST_KNOWN_NAMES && text.length < 64) knownNames.set(text, name)
  return name
}

/** Whether a value has only characters of Latin-1, and no line end, NUL or other control character. */
export function isFieldValue(text: string): boolean {
  return !beyondValue.test(text)
}

/** An error for a side that breaks the protocol. People see the code only, because a message could quote a key. */
export function protocolError(code: string): Error {
  return Object.assign(new Error(`The exchange broke HTTP/1.1 (${code}).`), { code })
}
