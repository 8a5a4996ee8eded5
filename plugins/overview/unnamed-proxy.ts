import type { FastifyRequest } from 'fastify'

/**
 * The address of a proxy through which the caller came and that TRUSTED_PROXIES does not name; null: none. Behind it all visitors have one
 * address. Told of the caller's own request alone: browsers never send X-Forwarded-For, and what strangers send says nothing.
 */
export function unnamedProxyOf(
  request: Pick<FastifyRequest, 'headers' | 'ips' | 'clientAddress'>,
): string | null {
  if (request.headers['x-forwarded-for'] === undefined) return null
  // The chain is followed from the socket's address on, for as long as its members are trusted.
  const isNamed = (request.ips?.length ?? 1) > 1
  return isNamed ? null : request.clientAddress
}
