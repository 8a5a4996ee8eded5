import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEventBus } from '../kernel/event-bus.ts'
import { quietLog } from '../../test/harness/databases.ts'
import { createMetrics } from '../observability/metrics.ts'
import { metricsRoutes } from './metrics-routes.ts'

let app: FastifyInstance

beforeAll(() => {
  app = Fastify()
  const gauges = { generation: () => 1, inFlight: () => 0 }
  metricsRoutes(app, { metrics: createMetrics(createEventBus(quietLog), gauges), token: 'secret' })
})
afterAll(() => app.close())

const status = async (remoteAddress: string, headers: Record<string, string>) =>
  (await app.inject({ url: '/metrics', remoteAddress, headers })).statusCode

describe('/metrics', () => {
  it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('is open to %s', async (from) => {
    for (const host of ['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000'])
      expect(await status(from, { host }), host).toBe(200)
  })

  it.each<Record<string, string>>([
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-proto': 'https' },
    { 'x-forwarded-host': 'localhost' },
    { 'x-real-ip': '127.0.0.1' },
    { forwarded: 'for=127.0.0.1' },
    { via: '1.1 proxy' },
    { host: 'gateway.example' },
  ])('is closed to a proxy on the same machine that sends %j', async (headers) => {
    expect(await status('127.0.0.1', { host: 'localhost', ...headers })).toBe(404)
  })

  it('is closed to a proxy that adds nothing and speaks HTTP/1.0', async () => {
    const { hostname, port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const ask = async (version: string) => {
      const socket = connect(Number(port), hostname)
      socket.write(`GET /metrics HTTP/${version}\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`)
      return (await text(socket)).split('\r\n', 1)[0]
    }
    expect(await ask('1.0')).toBe('HTTP/1.1 404 Not Found')
    expect(await ask('1.1')).toBe('HTTP/1.1 200 OK')
  })

  it('is open elsewhere to the bearer of METRICS_TOKEN only', async () => {
    expect(await status('192.0.2.1', { host: 'localhost' })).toBe(404)
    expect(await status('192.0.2.1', { authorization: 'Bearer other!' })).toBe(404)
    expect(await status('192.0.2.1', { authorization: 'Bearer secret', via: 'x' })).toBe(200)
  })
})
