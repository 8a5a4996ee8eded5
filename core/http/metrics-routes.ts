import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Metrics } from '../metrics.ts'

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

// The socket's address, not what a proxy says it is.
function isLoopback(request: FastifyRequest): boolean {
  const address = request.socket.remoteAddress ?? ''
  const isForwarded = request.headers['x-forwarded-for'] !== undefined
  return !isForwarded && (address === '::1' || address.replace(/^::ffff:/, '').startsWith('127.'))
}

function hasToken(request: FastifyRequest, token: string): boolean {
  if (token === '') return false
  const given = Buffer.from(request.headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
