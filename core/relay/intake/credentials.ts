import type { IncomingHttpHeaders } from 'node:http'

export interface KeyPlaces {
  /** `/v1beta/**`, `/v1/models/**`: x-goog-api-key and `?key=`. */
  gemini?: boolean
  /** `/v1/messages/**`, `/v1/models/**`: x-api-key. */
  anthropic?: boolean
  /** `/v1/realtime`: the WebSocket subprotocol. */
  realtime?: boolean
  /** Task platforms: a header that is used if Authorization is missing or contains only the placeholder. */
  header?: { name: string; placeholder?: string }
}

const REALTIME_PREFIX = 'openai-insecure-api-key.'

/** The credential of a relay call: the first place that holds one wins. Undefined if no place does. */
export function findCredential(
  headers: IncomingHttpHeaders,
  query: Record<string, unknown>,
  places: KeyPlaces,
): string | undefined {
  if (places.realtime) {
    const entry = headers['sec-websocket-protocol']
      ?.split(',')
      .map((part) => part.trim())
      .find((part) => part.startsWith(REALTIME_PREFIX))
    if (entry) return entry.slice(REALTIME_PREFIX.length)
  }
  if (places.gemini) {
    const key = headers['x-goog-api-key'] ?? query['key']
    if (typeof key === 'string' && key !== '') return key
  }
  if (places.anthropic) {
    const key = headers['x-api-key']
    if (typeof key === 'string' && key !== '') return key
  }
  const authorization = headers.authorization ?? ''
  const { header } = places
  if (authorization !== '' && bearerOf(authorization) !== header?.placeholder) return authorization
  const secret = header && headers[header.name]
  return typeof secret === 'string' && secret !== '' ? secret : undefined
}

/** The credential from any place, so that it can be removed from texts in which an upstream quotes it. */
export function anyCredential(request: {
  headers: IncomingHttpHeaders
  query: unknown
}): string | undefined {
  const places = { gemini: true, anthropic: true, realtime: true }
  return findCredential(request.headers, request.query as Record<string, unknown>, places)
}

function bearerOf(authorization: string): string {
  return authorization.replace(/^bearer\s+/i, '')
}
