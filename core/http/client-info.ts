import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

const MAX_HEADER_LENGTH = 200

/** The language of server messages: the better rated of zh and en in Accept-Language; neither: en. */
export function languageOf(header: string | undefined): 'en' | 'zh' {
  if (!header) return 'en'
  let best: 'en' | 'zh' = 'en'
  let bestQuality = 0
  for (const part of header.slice(0, MAX_HEADER_LENGTH).split(',')) {
    const [range = '', ...parameters] = part.trim().toLowerCase().split(';')
    const language = range.split('-')[0]
    if (language !== 'en' && language !== 'zh') continue
    const quality = qualityOf(parameters)
    if (quality > bestQuality) [best, bestQuality] = [language, quality]
  }
  return best
}

function qualityOf(parameters: readonly string[]): number {
  const text = parameters.map((parameter) => parameter.trim()).find((name) => name.startsWith('q='))
  const quality = text === undefined ? 1 : Number(text.slice(2))
  return Number.isFinite(quality) ? quality : 0
}

/** The client's address. Fastify resolves X-Forwarded-For through the trusted proxies; a value that is no
 *  address was made up by the client, so the socket's counts then. */
export function clientAddressOf(request: FastifyRequest): string {
  const forwarded = request.ip
  const address = isIP(forwarded) === 0 ? (request.socket.remoteAddress ?? '') : forwarded
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}
