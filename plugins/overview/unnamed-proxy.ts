import type { FastifyRequest } from 'fastify'

/** The address of a proxy through which the caller came and that is not listed in TRUSTED_PROXIES; null if there is
 *  none. Behind such a proxy all visitors have the same address. Only the caller's own request is judged: browsers
 *  never send X-Forwarded-For, and the header of a stranger proves nothing. */
export function unnamedProxyOf(
  request: Pick<FastifyRequest, 'headers' | 'ips' | 'clientAddress'>,
): string | null {
  if (request.headers['x-forwarded-for'] === undefined) return null
  // Follows the chain from the address of the socket for as long as its members are trusted.
  const isNamed = (request.ips?.length ?? 1) > 1
  return isNamed ? null : request.clientAddress
}
