import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Metrics } from '../observability/metrics.ts'

/** Prometheus text: open to loopback, elsewhere with the bearer METRICS_TOKEN. To anybody else the path does not exist. */
export function metricsRoutes(
  app: FastifyInstance,
  deps: { metrics: Metrics; token: string },
): void {
  app.get('/metrics', async (request, reply) => {
    if (!isLoopback(request) && !hasToken(request, deps.token)) return reply.callNotFound()
    return reply.header('content-type', deps.metrics.contentType).send(await deps.metrics.text())
  })
}

/** What proxies add: with one of these the call came through a proxy on this machine, from anywhere. */
const proxyHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

// The socket's address, not what a proxy says it is; and a host's name that is not this machine's was meant for others.
function isLoopback(request: FastifyRequest): boolean {
  const address = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  if (address !== '::1' && !address.startsWith('127.')) return false
  if (proxyHeaders.some((name) => request.headers[name] !== undefined)) return false
  // A bare `proxy_pass` of nginx adds nothing and names its target as the host, but speaks HTTP/1.0; scrapers do not.
  if (request.raw.httpVersion === '1.0') return false
  return isLocalName(request.headers.host ?? '')
}

/** A proxy that adds nothing still hands on the name that was asked for. */
function isLocalName(host: string): boolean {
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase()
  return name === 'localhost' || name === '[::1]' || /^127\.[\d.]+$/.test(name)
}

function hasToken(request: FastifyRequest, token: string): boolean {
  if (token === '') return false
  const given = Buffer.from(request.headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
