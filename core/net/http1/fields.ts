// Names and values of header fields (RFC 9110 section 5), alike for what is sent and for what is read.

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const beyondValue = /[^\t\x20-\x7e\x80-\xff]/

/** Names come again and again; what has been looked at once is known. Whatever else comes is looked at each time. */
const MOST_KNOWN_NAMES = 500
const knownNames = new Map<string, string>()

/** The name in lower case; undefined when it is none. */
export function fieldName(text: string): string | undefined {
  const known = knownNames.get(text)
  if (known !== undefined) return known
  if (!token.test(text)) return undefined
  const name = text.toLowerCase()
  if (knownNames.size < MOST_KNOWN_NAMES && text.length < 64) knownNames.set(text, name)
  return name
}

/** Without line ends, NUL and other signs that end a field or are none of Latin-1. */
export function isFieldValue(text: string): boolean {
  return !beyondValue.test(text)
}

/** What one side of a connection has done wrong; the code is what people read of it, since a message could quote a key. */
export function protocolError(code: string): Error {
  return Object.assign(new Error(`The exchange broke HTTP/1.1 (${code}).`), { code })
}
