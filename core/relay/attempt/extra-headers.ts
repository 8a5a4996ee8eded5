// Headers that hooks add for the upstream. They cannot change the adapter's own headers.
import type { UpstreamRequest } from '../../contract/http-client.ts'
import { hopHeader } from '../../net/hop-header.ts'

const MOST_HEADERS = 20
const LONGEST_VALUE = 4096
const name = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/
/** Visible ASCII, and spaces between. */
const value = /^[!-~](?:[ -~]*[!-~])?$/

/** Headers that hooks may not set: credentials, the length and encoding of the body, and those of the connection or the gateway. */
const closed: ReadonlySet<string> = new Set(
  (
    'authorization proxy-authorization proxy-authenticate www-authenticate cookie set-cookie x-api-key api-key x-goog-api-key ' +
    'x-goog-user-project x-amz-date x-amz-security-token x-amz-content-sha256 openai-organization openai-project host ' +
    'content-length content-type content-encoding transfer-encoding accept accept-encoding connection keep-alive ' +
    'proxy-connection te trailer upgrade expect date via forwarded'
  ).split(' '),
)

export class ExtraHeaders {
  readonly #headers = new Map<string, string>()

  /** @throws TypeError */
  set(rawName: string, rawValue: string): void {
    const key = rawName.toLowerCase()
    if (!name.test(key)) throw new TypeError('a header has no name that HTTP knows')
    if (closed.has(key) || key === hopHeader || key.startsWith('sec-'))
      throw new TypeError(`the header ${key} is not a plugin's to set`)
    if (typeof rawValue !== 'string' || rawValue.length > LONGEST_VALUE || !value.test(rawValue))
      throw new TypeError(`the header ${key} has a value that HTTP does not carry`)
    if (this.#headers.size >= MOST_HEADERS && !this.#headers.has(key))
      throw new TypeError(`more than ${MOST_HEADERS} headers`)
    this.#headers.set(key, rawValue)
  }

  get isEmpty(): boolean {
    return this.#headers.size === 0
  }

  /** The extra headers merged with the adapter's; the adapter's win. */
  beside(own: UpstreamRequest['headers']): UpstreamRequest['headers'] {
    const taken = new Set(Object.keys(own).map((key) => key.toLowerCase()))
    const more = [...this.#headers].filter(([key]) => !taken.has(key))
    return { ...Object.fromEntries(more), ...own }
  }
}
