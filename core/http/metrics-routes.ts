import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isSameSecret } from '../contract/same-secret.ts'
import type { Metrics } from '../observability/metrics.ts'

/** Prometheus metrics for holders of METRICS_TOKEN. For anybody else the path does not exist, even on this machine (see
 *  `listenForScrapers`). */
export function metricsRoutes(
  app: FastifyInstance,
  deps: { metrics: Metrics; token: string },
): void {
  app.get('/metrics', async (request, reply) => {
    if (!hasToken(request, deps.token)) return reply.callNotFound()
    return reply.header('content-type', deps.metrics.contentType).send(await deps.metrics.text())
  })
}

function hasToken(request: FastifyRequest, token: string): boolean {
  if (token === '') return false
  return isSameSecret(request.headers.authorization ?? '', `Bearer ${token}`)
}
