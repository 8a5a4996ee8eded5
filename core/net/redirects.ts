import type { UpstreamRequest } from '../contract/http-client.ts'
import { netInvalidUrl } from './net-errors.ts'

const redirectStatuses = new Set([301, 302, 303, 307, 308])

/** Headers that may be sent to another origin. Keys have too many names to list what may not. */
const harmlessHeaders = new Set([
  'accept',
  'accept-language',
  'content-type',
  'range',
  'user-agent',
])

/** The request that a redirect asks for (Fetch standard, HTTP-redirect fetch); undefined if the answer is not a
 *  redirect.
 *  @throws net.invalid_url */
export function redirectedRequest(
  request: UpstreamRequest,
  answer: { status: number; headers: Record<string, string> },
): UpstreamRequest | undefined {
  const location = answer.headers['location']
  if (!redirectStatuses.has(answer.status) || location === undefined) return undefined
  if (!URL.canParse(location, request.url)) throw netInvalidUrl()
  const from = new URL(request.url)
  const url = new URL(location, from)
  const becomesGet =
    (answer.status === 303 && request.method !== 'HEAD') ||
    ((answer.status === 301 || answer.status === 302) && request.method === 'POST')
  const keeps = (name: string): boolean =>
    (url.origin === from.origin || harmlessHeaders.has(name)) &&
    !(becomesGet && name.startsWith('content-'))
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => keeps(name.toLowerCase())),
  )
  return becomesGet
    ? { method: 'GET', url: url.href, headers }
    : { ...request, url: url.href, headers }
}
