// Headers that hooks add for the upstream. They cannot change the adapter's own headers.
import type { UpstreamRequest } from '../../contract/http-client.ts'
import {
  isConnectionHeader,
  isHeaderName,
  isHeaderValue,
  MOST_HEADERS,
} from '../../net/header-rules.ts'

/** Headers that hooks may not set beside those of the connection: credentials, and what they are counted by. */
const closed: ReadonlySet<string> = new Set(
  (
    'authorization www-authenticate cookie set-cookie x-api-key api-key x-goog-api-key x-goog-user-project x-amz-date ' +
    'x-amz-security-token x-amz-content-sha256 openai-organization openai-project accept'
  ).split(' '),
)

export class ExtraHeaders {
  readonly #headers = new Map<string, string>()

  /** @throws TypeError */
  set(rawName: string, rawValue: string): void {
    const key = rawName.toLowerCase()
    if (!isHeaderName(key)) throw new TypeError('a header has no name that HTTP knows')
    if (closed.has(key) || isConnectionHeader(key))
      throw new TypeError(`the header ${key} is not a plugin's to set`)
    if (!isHeaderValue(rawValue))
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
