import { request, type OutgoingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../test/harness/postgres.ts'
import { quietMetrics } from '../../test/harness/quiet-metrics.ts'
import { listenForScrapers } from './metrics-listener.ts'

const metrics = quietMetrics()

type Listener = Awaited<ReturnType<typeof listenForScrapers>>

/** Tries another port if a free one was taken in the meantime. */
async function listenSomewhere(tries = 5): Promise<{ port: number; listener: Listener }> {
  const port = await freePort()
  try {
    return { port, listener: await listenForScrapers(port, metrics) }
  } catch (error) {
    if (tries === 0) throw error
    return listenSomewhere(tries - 1)
  }
}

describe('the port for scrapers on this machine', () => {
  let port: number
  let listener: Listener

  beforeAll(async () => {
    const opened = await listenSomewhere()
    port = opened.port
    listener = opened.listener
  })
  afterAll(() => listener.close())

  const ask = (method: string, path: string, headers: OutgoingHttpHeaders = {}) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const asked = request({ port, host: '127.0.0.1', method, path, headers }, (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () => resolve({ status: response.statusCode, text }))
      })
      asked.on('error', reject)
      asked.end()
    })

  it('answers without a token', async () => {
    const { status, text } = await ask('GET', '/metrics')
    expect(status).toBe(200)
    expect(text).toContain('tollgate_calls_total')
    expect((await ask('GET', '/metrics?x', { host: `localhost:${port}` })).status).toBe(200)
  })

  it.each([
    ['POST', '/metrics', {}],
    ['GET', '/', {}],
    ['GET', '/api/status', {}],
    ['GET', '/metrics', { host: 'rebound.example' }],
    ['GET', '/metrics', { host: '127.0.0.1.rebound.example' }],
  ] as const)('answers 404 to %s %s with %j', async (method, path, headers) => {
    expect(await ask(method, path, headers)).toEqual({ status: 404, text: '' })
  })

  it('is named when it is taken', async () => {
    await expect(listenForScrapers(port, metrics)).rejects.toThrow(
      `METRICS_PORT ${port} is in use by another program`,
    )
  })
})
