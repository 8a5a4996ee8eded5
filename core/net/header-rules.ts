// What HTTP carries as a header, and which headers are nobody's to set but the gateway's.
import { hopHeader } from './hop-header.ts'

export const MOST_HEADERS = 20
const LONGEST_VALUE = 4096
const name = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/
/** Visible ASCII, and spaces between. */
const value = /^[!-~](?:[ -~]*[!-~])?$/

/** The length and encoding of the body, and headers of the connection. */
const connection: ReadonlySet<string> = new Set(
  (
    'host content-length content-type content-encoding transfer-encoding accept-encoding connection keep-alive ' +
    'proxy-authorization proxy-authenticate proxy-connection te trailer upgrade expect date via forwarded'
  ).split(' '),
)

/** @param key in lower case */
export function isHeaderName(key: string): boolean {
  return name.test(key)
}

/** @param key in lower case */
export function isConnectionHeader(key: string): boolean {
  return connection.has(key) || key === hopHeader || key.startsWith('sec-')
}

export function isHeaderValue(text: unknown): text is string {
  return typeof text === 'string' && text.length <= LONGEST_VALUE && value.test(text)
}
