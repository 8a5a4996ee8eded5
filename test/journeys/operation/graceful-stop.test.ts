// SIGTERM while answers are open: what ends in time ends, what does not is cut off, and all of it is booked before the exit.
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  channelType,
  consumptionRows,
  type Customer,
  fakeUpstream,
  type FakeUpstream,
  setPrice,
  startApp,
  startGateway,
} from '#test'

const model = 'slow-model'
/** Of an upstream that speaks Anthropic, for clients whose dialect the other one would be asked in. */
const convertedModel = 'slow-converted-model'

let app: App
let upstream: FakeUpstream

beforeAll(async () => {
  // Some 20 seconds of words.
  upstream = await fakeUpstream({ delayMs: 250, answer: () => 'word '.repeat(80) })
  app = await startApp({ isWithin: true, env: { SHUTDOWN_SECONDS: '2' } })
  await setPrice(app.root, model, 1)
  await setPrice(app.root, convertedModel, 1)
  await addChannel(app.root, { base_url: upstream.url, models: model })
  const type = channelType.anthropic
  await addChannel(app.root, { base_url: upstream.url, models: convertedModel, type })
})

afterAll(async () => {
  await app.close()
  await upstream.close()
})

interface Reader {
  words: number
  leave: () => void
  pause: () => void
  over: Promise<void>
}

/** Reads the stream and counts; resolves at its third word. */
function reading({ key }: Customer, url = app.url): Promise<Reader> {
  return new Promise((resolve) => {
    const call = request(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
    const over = new Promise<void>((ended) => void call.once('close', ended))
    const reader: Reader = {
      words: 0,
      leave: () => void call.destroy(),
      pause: () => void call.socket?.pause(),
      over,
    }
    call.on('error', () => undefined)
    call.on('response', (response) => {
      response.on('error', () => undefined)
      response.on('data', (data: Buffer) => {
        reader.words += data.toString().split('"word ').length - 1
        if (reader.words >= 3) resolve(reader)
      })
    })
    call.end(JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Hi' }] }))
  })
}

describe('a stop that comes before the answers end', () => {
  it('books what was delivered, to those who stayed and to those who had left', async () => {
    const [stayed, left] = [
      await addCustomer(app.root, 'stayed', 1_000_000),
      await addCustomer(app.root, 'left', 1_000_000),
    ]
    const [staying, leaving] = await Promise.all([reading(stayed), reading(left)])
    leaving.leave()
    await leaving.over
    await app.process.stop()
    await app.restart()
    await staying.over
    for (const [customer, words, end] of [
      [stayed, staying.words, 'gateway_stopped'],
      [left, leaving.words, 'client_left_counted'],
    ] as const) {
      const rows = await consumptionRows(app.root, customer.username)
      expect(rows).toHaveLength(1)
      expect(JSON.parse(rows[0]?.other ?? '{}')).toMatchObject({ end })
      expect(Math.abs(Number(rows[0]?.['completion_tokens']) - words)).toBeLessThanOrEqual(2)
      const account = await app.root.get<{ quota: number }>(`/api/user/${customer.id}`)
      expect(account.quota).toBe(1_000_000 - (rows[0]?.quota ?? 0))
    }
  })
})

describe.each(['SIGTERM', 'SIGHUP'] as const)(
  'a stop that %s asks for, and SIGTERM again',
  (signal) => {
    it('lets answers end as after the first time', async () => {
      const customer = await addCustomer(app.root, `twice ${signal}`, 1_000_000)
      await app.process.stop()
      const gateway = await startGateway({ env: app.env })
      try {
        const answer = await reading(customer, gateway.url)
        process.kill(gateway.pid, signal)
        const isStopping = () =>
          fetch(`${gateway.url}/readyz`).then(
            ({ ok }) => !ok,
            () => true,
          )
        await expect.poll(isStopping).toBe(true)
        expect(await gateway.stop()).toBe(0)
        await answer.over
      } finally {
        await gateway.kill()
      }
      await app.restart()
      const [row] = await consumptionRows(app.root, customer.username)
      expect(JSON.parse(row?.other ?? '{}')).toMatchObject({ end: 'gateway_stopped' })
    })
  },
)

const message = { role: 'user', content: 'Hi' }
const stopped = 'The gateway is stopping.'

/** What ends a stream of each dialect, and what would if the answer were whole. */
const streams = [
  {
    dialect: 'OpenAI chat',
    path: '/v1/chat/completions',
    body: { model, stream: true, messages: [message] },
    last: /^event: error\ndata: \{"error":\{.*"code":"gateway_stopping"/,
    whole: '[DONE]',
  },
  {
    dialect: 'OpenAI Responses',
    path: '/v1/responses',
    body: { model: convertedModel, stream: true, input: 'Hi' },
    last: /^event: response\.failed\ndata: \{.*"status":"failed".*"code":"gateway_stopping"/,
    whole: 'response.completed',
  },
  {
    dialect: 'Anthropic',
    path: '/v1/messages',
    body: { model, stream: true, max_tokens: 200, messages: [message] },
    last: /^event: error\ndata: \{"type":"error","error":\{"type":"overloaded_error"/,
    whole: 'message_stop',
  },
  {
    dialect: 'Gemini',
    path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    last: /^data: \{"error":\{"code":503.*"status":"UNAVAILABLE"/,
    whole: '"finishReason"',
  },
]

interface Exchange {
  begun: Promise<void>
  over: Promise<{ status: number; text: string }>
}

/** One call; `begun` with the first bytes of its answer. */
function exchange(key: string, path: string, body: object): Exchange {
  const begun = Promise.withResolvers<void>()
  const over = Promise.withResolvers<{ status: number; text: string }>()
  const headers = { 'x-goog-api-key': key, 'content-type': 'application/json' }
  const call = request(`${app.url}${path}`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${key}`, 'x-api-key': key },
  })
  call.on('error', over.reject)
  call.on('response', (response) => {
    let text = ''
    response.on('data', (data: Buffer) => {
      text += data.toString()
      begun.resolve()
    })
    // A client of Gemini learns of an error by the break that follows it.
    response.on('error', () => undefined)
    response.on('close', () => over.resolve({ status: response.statusCode ?? 0, text }))
  })
  call.end(JSON.stringify(body))
  return { begun: begun.promise, over: over.promise }
}

describe('a stop at its limit', () => {
  it('ends each stream with an error event of its dialect, and a call without an answer with 503', async () => {
    const customer = await addCustomer(app.root, 'told', 1_000_000)
    const open = streams.map((stream) => ({
      ...stream,
      exchange: exchange(customer.key, stream.path, stream.body),
    }))
    await Promise.all(open.map((stream) => stream.exchange.begun))
    const silent = await addSilentChannel()
    const whole = exchange(customer.key, '/v1/chat/completions', {
      model: silent.model,
      messages: [message],
    })
    await silent.called
    await app.process.stop()
    for (const stream of open) {
      const { text } = await stream.exchange.over
      const events = text.split('\n\n').filter((event) => event !== '')
      expect(events.at(-1), stream.dialect).toMatch(stream.last)
      expect(events.at(-1)).toContain(stopped)
      expect(text).not.toContain(stream.whole)
    }
    const answer = await whole.over
    expect(answer.status).toBe(503)
    expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'gateway_stopping' } })
    await app.restart()
    const rows = await consumptionRows(app.root, customer.username)
    expect(rows).toHaveLength(streams.length)
    for (const row of rows) {
      expect(row.quota).toBeGreaterThan(0)
      expect(JSON.parse(row.other)).toMatchObject({ end: 'gateway_stopped' })
    }
    silent.close()
  })

  it('does not wait for a client that reads nothing', async () => {
    const customer = await addCustomer(app.root, 'deaf', 1_000_000)
    const deaf = await reading(customer)
    deaf.pause()
    await app.process.stop()
    deaf.leave()
    await app.restart()
    expect(await consumptionRows(app.root, customer.username)).toHaveLength(1)
  })
})

/** An upstream that takes a call and never answers. */
async function addSilentChannel() {
  const called = Promise.withResolvers<void>()
  const server = createServer(() => called.resolve())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const silentModel = 'silent-model'
  await setPrice(app.root, silentModel, 1)
  await addChannel(app.root, { base_url: `http://127.0.0.1:${port}`, models: silentModel })
  return {
    model: silentModel,
    called: called.promise,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
