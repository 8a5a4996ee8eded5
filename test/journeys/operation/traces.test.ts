// Traces by the variables of OpenTelemetry: what a collector gets of calls, and what it never gets.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { setPrice, startApp } from '#test'
import { chunk, completion, lastChunks } from '../../harness/chat-chunks.ts'
import { relayRoom } from '../../harness/relay-room.ts'
import { sendJson, writeEvents } from '../../harness/scripted-upstream.ts'
import { type ReceivedSpan, traceReceiver } from '../../harness/counterparts/trace-receiver.ts'

const model = 'traced'
const secretWords = 'the words of the prompt'
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const usage = { prompt_tokens: 10, completion_tokens: 5 }
const failure = { error: { message: `no: ${secretWords}`, type: 'server_error', code: 'engine' } }

const receiver = await traceReceiver()
afterAll(() => receiver.close())

// OpenTelemetry's own packages read these variables from the process.
const variables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-scope=ours',
  OTEL_SERVICE_NAME: 'gateway-of-ours',
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
}
beforeAll(() => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
})

const room = relayRoom({
  channels: [{ models: model, priority: 1 }, { models: `${model},other` }],
  priced: [model, 'other'],
  customer: 'traced',
  env: variables,
})

const ask = (more: object = {}, headers: Record<string, string> = {}) =>
  room.post(
    '/v1/chat/completions?key=sk-in-the-query',
    { model, messages: [{ role: 'user', content: secretWords }], ...more },
    headers,
  )

const ids: Record<string, string> = {}
const upstreamHeaders: Record<string, unknown>[] = []

/** Every call, then a stop: what leaves after it never comes. Before it, time is no matter; of a stop, the collector gets three seconds. */
beforeAll(async () => {
  const keep = async (name: string, sent: Promise<Response>) => {
    const response = await sent
    await response.text()
    ids[name] = response.headers.get('x-request-id') ?? ''
    upstreamHeaders.push(...room.upstream.calls.splice(0).map(({ headers }) => headers))
  }
  await room.app.root.put('/api/option/', { key: 'RetryTimes', value: '1' })
  const parent = `00-${traceId}-00f067aa0ba902b7-01`
  let failures = 1
  room.upstream.behave((response) => {
    if (failures-- > 0) sendJson(response, failure, 500)
    else sendJson(response, completion('Hello', usage))
  })
  await keep('retried', ask({}, { traceparent: parent }))
  room.upstream.behave((response) => {
    writeEvents(response, [chunk('Hello'), ...lastChunks(usage)])
    response.end()
  })
  await keep('streamed', ask({ stream: true }, { traceparent: '00-no-trace-01' }))
  room.upstream.behave((response) => sendJson(response, failure, 500))
  await keep('failed', ask())
  await keep('fallback', ask({ models: [model, 'unserved', 'other'] }))
  await keep('unknown', ask({ model: 'unserved' }))
  await keep('stranger', ask({}, { authorization: 'Bearer sk-nobody' }))
  await keep('unsampled', ask({}, { traceparent: parent.replace(/01$/, '00') }))
  const traced = Object.keys(ids).length - 1
  const calls = () => receiver.spans.filter(({ kind }) => kind === 'server')
  const allHere = () => expect(calls().length).toBeGreaterThanOrEqual(traced)
  await vi.waitFor(allHere, { timeout: 60_000 })
  await room.app.restart()
}, 180_000)

const callSpan = (name: string): ReceivedSpan => {
  const found = receiver.spans.filter(
    ({ kind, attributes }) => kind === 'server' && attributes['tollgate.request.id'] === ids[name],
  )
  expect(found, `one span of the call ${name}`).toHaveLength(1)
  return found[0] as ReceivedSpan
}

const childrenOf = ({ spanId, traceId: id }: ReceivedSpan) =>
  receiver.spans.filter((span) => span.parentSpanId === spanId && span.traceId === id)

const durationMs = ({ startNs, endNs }: ReceivedSpan) => Number(endNs - startNs) / 1e6

describe('a collector of traces', () => {
  it('gets a call within the trace of its client, with its attempts and its settlement', () => {
    const call = callSpan('retried')
    expect(call).toMatchObject({
      traceId,
      parentSpanId: '00f067aa0ba902b7',
      name: 'POST /v1/chat/completions',
      isError: false,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/chat/completions',
        'http.response.status_code': 200,
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': model,
        'gen_ai.request.stream': false,
        'gen_ai.usage.input_tokens': 10,
        'gen_ai.usage.output_tokens': 5,
        'user.id': String(room.customer.id),
        'tollgate.group': 'default',
        'tollgate.attempts': 2,
        'tollgate.units': 15,
      },
    })
    expect(durationMs(call)).toBeGreaterThan(0)
    expect(call.events.map(({ name }) => name)).toEqual(['first_byte'])
    const [failed, answered, settlement] = childrenOf(call)
    expect(failed).toMatchObject({
      kind: 'client',
      name: `chat ${model}`,
      isError: true,
      attributes: {
        'error.type': 'upstream',
        'http.response.status_code': 500,
        'gen_ai.provider.name': 'openai',
        'tollgate.attempt': 1,
      },
    })
    expect(answered).toMatchObject({
      kind: 'client',
      isError: false,
      attributes: { 'http.response.status_code': 200, 'tollgate.attempt': 2 },
    })
    expect(answered?.attributes['tollgate.channel.id']).toBe(call.attributes['tollgate.channel.id'])
    expect(settlement).toMatchObject({ kind: 'internal', name: 'settle' })
    for (const child of childrenOf(call)) {
      expect(child.startNs).toBeGreaterThanOrEqual(call.startNs)
      expect(child.endNs).toBeLessThanOrEqual(call.endNs)
    }
  })

  it('gets a trace of its own where the client has none that can be read', () => {
    const call = callSpan('streamed')
    expect(call.traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/)
    expect(call).toMatchObject({ parentSpanId: '', attributes: { 'gen_ai.request.stream': true } })
    expect(call.events[0]?.atNs).toBeLessThanOrEqual(call.endNs)
  })

  it('gets refused calls with what is known of them', () => {
    expect(callSpan('failed')).toMatchObject({
      isError: true,
      attributes: { 'http.response.status_code': 500, 'error.type': 'upstream' },
    })
    expect(childrenOf(callSpan('failed')).map(({ isError }) => isError)).toEqual([true, true])
    expect(callSpan('unknown').attributes['error.type']).toMatch(/model_not_found|no_channel/)
    expect(callSpan('stranger')).toMatchObject({
      isError: false,
      attributes: { 'http.response.status_code': 401 },
    })
  })

  it('gets the attempts of every model that a request names', () => {
    const attempts = childrenOf(callSpan('fallback'))
    expect(attempts.map(({ attributes }) => attributes['gen_ai.request.model'])).toEqual([
      model,
      model,
      'other',
      'other',
    ])
    expect(attempts.map(({ attributes }) => attributes['tollgate.attempt'])).toEqual([1, 2, 3, 4])
  })

  it('gets nothing of a call whose client wants no trace', () => {
    const seen = receiver.spans.filter(
      ({ attributes }) => attributes['tollgate.request.id'] === ids['unsampled'],
    )
    expect(seen).toEqual([])
  })

  it('is told name, version and headers of the installation', () => {
    expect(callSpan('retried').resource).toMatchObject({
      'service.name': 'gateway-of-ours',
      'service.version': expect.any(String) as string,
      'deployment.environment.name': 'test',
    })
    expect(receiver.headers['x-scope']).toBe('ours')
  })

  it('never gets words of a prompt, keys or queries', () => {
    const all = receiver.text()
    expect(all).toContain(model)
    for (const secret of [secretWords, 'Hello', 'sk-', room.customer.key.slice(3), 'key='])
      expect(all).not.toContain(secret)
  })

  it('is the only one who hears of the trace: no upstream does', () => {
    expect(upstreamHeaders.length).toBeGreaterThan(5)
    for (const headers of upstreamHeaders) {
      expect(headers).not.toHaveProperty('traceparent')
      expect(headers).not.toHaveProperty('tracestate')
    }
  })
})

describe('a collector that is away', () => {
  it('costs calls nothing and the log a line', async () => {
    const app = await startApp({
      env: {
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:1/v1/traces',
        OTEL_EXPORTER_OTLP_TIMEOUT: '200',
      },
    })
    try {
      await setPrice(app.root, model, 1)
      const status = async () => {
        const sent = { method: 'POST', headers: { authorization: 'Bearer sk-nobody' } }
        return (await fetch(`${app.url}/v1/chat/completions`, sent)).status
      }
      expect(await Promise.all([status(), status(), status()])).toEqual([401, 401, 401])
      const warned = () =>
        app.process
          .log()
          .split('\n')
          .filter((line) => line.includes('traces do not reach their collector'))
      await expect.poll(warned, { timeout: 60_000 }).not.toEqual([])
      expect(await app.process.stop()).toBe(0)
      const warnings = warned()
      expect(warnings).toHaveLength(1)
      expect(warnings[0]).toContain('"spans":3')
    } finally {
      await app.close()
    }
  }, 180_000)
})
