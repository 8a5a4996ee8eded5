import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

const MAX_HEADER_LENGTH = 200

/** The language of server messages: zh or en, whichever Accept-Language ranks first; en if it names neither. */
export function languageOf(header: string | undefined): 'en' | 'zh' {
  // Most callers are programs, whose header does not name zh and need not be parsed.
  if (header === undefined || !/zh/i.test(header)) return 'en'
  const headers = { 'accept-language': header.slice(0, MAX_HEADER_LENGTH) }
  const rated = new Negotiator({ headers }).languages()
  const languages = rated.map((tag) => tag.split('-', 1)[0]?.toLowerCase())
  return languages.find((language) => language === 'en' || language === 'zh') ?? 'en'
}

/** The client's address. Fastify resolves X-Forwarded-For through the trusted proxies. If the result is not an address,
 *  the client made it up, and the socket's address counts. */
export function clientAddressOf(request: FastifyRequest): string {
  const forwarded = request.ip
  const direct = request.socket.remoteAddress ?? ''
  const address = forwarded === direct || isIP(forwarded) === 0 ? direct : forwarded
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}
