// The headers that an admin sets for a channel's upstream (`headers` in its setting): one `Name: value` a line.
import type { HttpOptions } from '../contract/http-client.ts'
import {
  isConnectionHeader,
  isHeaderName,
  isHeaderValue,
  MOST_HEADERS,
} from '../net/header-rules.ts'

type Headers = NonNullable<HttpOptions['channelHeaders']>['headers']

/** The headers by name in lower case, and the first line that cannot be one, counted from 1. */
export function readHeaderLines(text: string): { headers: Headers; faultyLine?: number } {
  const headers = new Map<string, string>()
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const colon = line.indexOf(':')
    const key = line.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    const value = line.slice(colon + 1).trim()
    const isFit = isHeaderName(key) && !isConnectionHeader(key) && isHeaderValue(value)
    if (!isFit || (headers.size >= MOST_HEADERS && !headers.has(key)))
      return { headers: Object.fromEntries(headers), faultyLine: index + 1 }
    headers.set(key, value)
  }
  return { headers: Object.fromEntries(headers) }
}

/** The headers for the host of the channel's address. Undefined if there are none, or no such host. */
export function channelHeadersOf(text: unknown, baseUrl: string): HttpOptions['channelHeaders'] {
  if (typeof text !== 'string' || text.trim() === '') return undefined
  const host = URL.parse(baseUrl)?.host
  return host ? { host, headers: readHeaderLines(text).headers } : undefined
}
