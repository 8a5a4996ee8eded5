import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { quietLog } from '../../../test/harness/quiet-log.ts'
import { traceReceiver } from '../../../test/harness/counterparts/trace-receiver.ts'
import { openTraces } from './open-traces.ts'

afterEach(() => void vi.unstubAllEnvs())

const sampledBy = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7'

/** Traces of refused calls, sent to `url`. */
function callsTo(url: string, sampler: string, ratio = 1) {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', url)
  const traces = openTraces({ settings: { sampler, ratio }, version: '1', log: quietLog })
  const app = Fastify()
  app.get('/', (request, reply) => {
    traces.refused(request, 401, 'token.invalid')
    return reply.send()
  })
  const call = (headers: Record<string, string> = {}) => app.inject({ url: '/', headers })
  return { call, close: () => traces.close() }
}

describe('OTEL_TRACES_SAMPLER', () => {
  it.each([
    { sampler: 'always_on', flags: '00', ratio: 0, traced: 2 },
    { sampler: 'always_off', flags: '01', ratio: 1, traced: 0 },
    { sampler: 'traceidratio', flags: '01', ratio: 0, traced: 0 },
    { sampler: 'traceidratio', flags: '00', ratio: 1, traced: 2 },
    { sampler: 'parentbased_always_on', flags: '00', ratio: 0, traced: 1 },
    { sampler: 'parentbased_always_off', flags: '01', ratio: 1, traced: 1 },
    { sampler: 'parentbased_traceidratio', flags: '01', ratio: 0, traced: 1 },
  ])('$sampler $ratio: $traced of two calls, one of a client that says $flags', async (row) => {
    const receiver = await traceReceiver()
    try {
      const { call, close } = callsTo(receiver.url, row.sampler, row.ratio)
      await call()
      await call({ traceparent: `${sampledBy}-${row.flags}` })
      await close()
      expect(receiver.spans).toHaveLength(row.traced)
    } finally {
      await receiver.close()
    }
  })
})

describe('a collector that never answers', () => {
  it('holds up a stop for three seconds at the most', async () => {
    const server = createServer(() => undefined)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { call, close } = callsTo(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      'always_on',
    )
    await call()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let isOver = false
    const closed = close().then(() => (isOver = true))
    await vi.advanceTimersByTimeAsync(2_999)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await closed
    vi.useRealTimers()
    server.closeAllConnections()
    server.close()
  })
})
