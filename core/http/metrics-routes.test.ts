import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { quietMetrics } from '../../test/harness/quiet-metrics.ts'
import { metricsRoutes } from './metrics-routes.ts'

let app: FastifyInstance
let tokenless: FastifyInstance

const withToken = (token: string) => {
  const made = Fastify()
  metricsRoutes(made, { metrics: quietMetrics(), token })
  return made
}

beforeAll(() => {
  app = withToken('secret')
  tokenless = withToken('')
})
afterAll(() => Promise.all([app.close(), tokenless.close()]))

const status = async (remoteAddress: string, headers: Record<string, string>, from = app) =>
  (await from.inject({ url: '/metrics', remoteAddress, headers })).statusCode

describe('/metrics', () => {
  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '192.0.2.1'])(
    'is closed to %s, where a proxy may stand that adds nothing',
    async (from) => {
      for (const host of ['localhost', '127.0.0.1', '[::1]:3000', 'gateway.example'])
        expect(await status(from, { host }), host).toBe(404)
    },
  )

  it('is open to the bearer of METRICS_TOKEN only', async () => {
    expect(await status('192.0.2.1', { authorization: 'Bearer other!' })).toBe(404)
    expect(await status('192.0.2.1', { authorization: 'Bearer secret', via: 'x' })).toBe(200)
  })

  it.each<Record<string, string>>([
    {},
    { authorization: 'Bearer ' },
    { authorization: 'Bearer undefined' },
  ])('is closed to %j where there is no token', async (headers) => {
    expect(await status('127.0.0.1', { host: '127.0.0.1', ...headers }, tokenless)).toBe(404)
  })
})
