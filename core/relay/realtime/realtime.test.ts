import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import {
  addChannel,
  addCustomer,
  type App,
  balanceOf,
  consumptionRows,
  type Customer,
  startApp,
} from '#test'
import {
  type Frame,
  RealtimeClient,
  refusalOf,
  sendFrame as send,
} from '../../../test/harness/counterparts/frame-clients.ts'

let app: App
let upstream: WebSocketServer
let channelId: number
let customers = 0
/** What the upstream does with a connection; each test says its own. */
let serve: (socket: WebSocket, request: IncomingMessage) => void

const model = 'gpt-realtime'
const usage = {
  total_tokens: 330,
  input_tokens: 230,
  output_tokens: 100,
  input_token_details: {
    text_tokens: 130,
    audio_tokens: 100,
    cached_tokens: 60,
    cached_tokens_details: { text_tokens: 40, audio_tokens: 20 },
  },
  output_token_details: { text_tokens: 40, audio_tokens: 60 },
}
// Ratio 1, completion 2, audio 10, audio completion 2, cache 0.5: 90 + 60×0.5 + 80×10 + 40×2 + 60×20.
const answerUnits = 90 + 30 + 800 + 80 + 1200

beforeAll(async () => {
  upstream = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(upstream, 'listening')
  upstream.on('connection', (socket, request) => serve(socket, request))
  app = await startApp()
  channelId = await addChannel(app.root, { base_url: upstreamUrl(), models: model })
  await setMaps({
    ModelRatio: 1,
    CompletionRatio: 2,
    AudioRatio: 10,
    AudioCompletionRatio: 2,
    CacheRatio: 0.5,
  })
})

beforeEach(() => {
  serve = (socket) => {
    send(socket, { type: 'session.created', session: { id: 'sess_1' } })
    socket.on('message', (data: Buffer) => {
      if ((JSON.parse(data.toString()) as Frame)['type'] === 'response.create') answer(socket)
    })
  }
})

afterEach(() => {
  for (const socket of upstream.clients) socket.terminate()
})

afterAll(async () => {
  await app.close()
  upstream.close()
})

function upstreamUrl(): string {
  return `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
}

async function setMaps(values: Record<string, number>): Promise<void> {
  for (const [key, value] of Object.entries(values))
    await app.root.put('/api/option/', { key, value: JSON.stringify({ [model]: value }) })
}

function answer(socket: WebSocket, more: Frame = { usage }, delta = 'Hello there'): void {
  send(socket, { type: 'response.created', response: { id: 'resp_1' } })
  send(socket, { type: 'response.output_text.delta', delta })
  send(socket, { type: 'response.done', response: { id: 'resp_1', status: 'completed', ...more } })
}

function newCustomer(quota = 1_000_000): Promise<Customer> {
  customers += 1
  return addCustomer(app.root, `talker${customers}`, quota)
}

class Client extends RealtimeClient {
  constructor(key: string, options: { model?: string; protocols?: string[] } = {}) {
    super(app.url, key, { model, ...options })
  }
}

async function bookedAfter(
  more: Frame,
  delta?: string,
): Promise<{ quota: number; other: string; left: number }> {
  const customer = await newCustomer()
  serve = (socket) => {
    send(socket, { type: 'session.created', session: { id: 'sess_1' } })
    socket.on('message', () => answer(socket, more, delta))
  }
  const client = await new Client(customer.key).opened()
  client.send({ type: 'response.create' })
  await client.frame('response.done')
  client.socket.close()
  await client.closed
  await expect.poll(() => consumptionRows(app.root, customer.username)).toHaveLength(1)
  const [row] = await consumptionRows(app.root, customer.username)
  const { quota = 0, other = '' } = row ?? {}
  return { quota, other, left: await balanceOf(customer) }
}

// First, and alone on a process: the tests after it run within.
describe('a realtime session whose gateway is killed', () => {
  it('has the row of what it booked after a kill -9', async () => {
    const customer = await newCustomer()
    const client = await new Client(customer.key).opened()
    for (const round of [1, 2]) {
      client.send({ type: 'response.create' })
      await client.frame('response.done', round)
    }
    await app.goOnWithin('kill')
    const [row, ...more] = await consumptionRows(app.root, customer.username)
    expect(more).toEqual([])
    expect(row).toMatchObject({ quota: 2 * answerUnits, prompt_tokens: 460 })
    expect(JSON.parse(row?.other ?? '{}')).toMatchObject({
      end: 'gateway_stopped',
      receipt: { total: 2 * answerUnits },
    })
  })
})

describe('realtime usage that cannot be', () => {
  it.each([
    { input_tokens: 9e15, output_tokens: 9e15 },
    { input_tokens: 7.4, output_tokens: 1e308 },
    { input_tokens: -5, output_tokens: '7' },
    { input_tokens: 7, output_tokens: 0 },
  ])('is counted by us instead: %j', async (figures) => {
    const { quota, other, left } = await bookedAfter({ usage: figures })
    // "Hello there" is two tokens, each of two units.
    expect(quota).toBe((figures.input_tokens === 7 || figures.input_tokens === 7.4 ? 7 : 0) + 4)
    expect(JSON.parse(other)).toMatchObject({ estimated: true, completion_ratio: 2 })
    expect(left).toBe(1_000_000 - quota)
  })

  it.each([
    [1, true],
    [90, false],
  ])('is counted by us where 800 words are said to be %i tokens: %s', async (tokens, isOurs) => {
    const reported = { usage: { input_tokens: 7, output_tokens: tokens } }
    const { quota, other } = await bookedAfter(reported, 'word '.repeat(800))
    expect(quota).toBe(7 + 2 * (isOurs ? 801 : tokens))
    expect((JSON.parse(other) as { estimated?: boolean }).estimated ?? false).toBe(isOurs)
  })
})

describe('a realtime session', () => {
  it('whose client leaves before the upstream has greeted asks for nothing', async () => {
    const customer = await newCustomer()
    const heard: string[] = []
    const { promise: opened, resolve: open } = Promise.withResolvers<WebSocket>()
    serve = (socket) => {
      socket.on('message', (data: Buffer) => void heard.push(data.toString()))
      open(socket)
    }
    const client = new Client(customer.key)
    await once(client.socket, 'open')
    client.send({ type: 'response.create' })
    const socket = await opened
    const ended = once(socket, 'close')
    client.socket.close()
    await client.closed
    // What the gateway is asked after this it reads after the end of that connection.
    for (let time = 0; time < 5; time += 1) await (await fetch(`${app.url}/healthz`)).text()
    send(socket, { type: 'session.created', session: { id: 'sess_1' } })
    await ended
    await expect.poll(() => consumptionRows(app.root, customer.username)).toHaveLength(1)
    const [row] = await consumptionRows(app.root, customer.username)
    expect(row).toMatchObject({ quota: 0 })
    expect(JSON.parse(row?.other ?? '')).toMatchObject({ end: 'client_left_unsent' })
    expect(heard).toEqual([])
    expect(await balanceOf(customer)).toBe(1_000_000)
  })

  it('relays frames unchanged in both directions', async () => {
    const seen: string[] = []
    const odd = '{"type":"made.up",  "value":1.0}'
    serve = (socket) => {
      send(socket, { type: 'session.created', session: {} })
      socket.on('message', (data: Buffer) => {
        seen.push(data.toString())
        socket.send(odd)
      })
    }
    const client = await new Client((await newCustomer()).key).opened()
    const raw = once(client.socket, 'message')
    client.socket.send(odd)
    expect(String((await raw)[0])).toBe(odd)
    expect(seen).toEqual([odd])
    client.socket.close()
  })

  it('takes the key from a header and sends the channel key in one', async () => {
    let request: IncomingMessage | undefined
    const inner = serve
    serve = (socket, upgrade) => {
      request = upgrade
      inner(socket, upgrade)
    }
    const client = await new Client((await newCustomer()).key).opened()
    expect(request?.url).toBe(`/v1/realtime?model=${model}`)
    expect(request?.headers.authorization).toBe('Bearer sk-upstream')
    client.socket.close()
  })

  it('takes the key from a subprotocol, echoes realtime and no key', async () => {
    let offered = ''
    const inner = serve
    serve = (socket, request) => {
      offered = request.headers['sec-websocket-protocol'] ?? ''
      inner(socket, request)
    }
    const { key } = await newCustomer()
    const protocols = [`openai-insecure-api-key.${key}`, 'realtime', 'openai-beta.realtime-v1']
    const client = await new Client('', { protocols }).opened()
    expect(client.socket.protocol).toBe('realtime')
    expect(offered).toBe('realtime,openai-beta.realtime-v1,openai-insecure-api-key.sk-upstream')
    client.socket.close()
  })

  it('books every answer before the client sees it done, and writes one row at the end', async () => {
    const customer = await newCustomer()
    const client = await new Client(customer.key).opened()
    for (const round of [1, 2]) {
      client.send({ type: 'response.create' })
      await client.frame('response.done', round)
      expect(await balanceOf(customer)).toBe(1_000_000 - round * answerUnits)
    }
    client.socket.close()
    await client.closed
    await expect
      .poll(() => consumptionRows(app.root, customer.username))
      .toMatchObject([{ quota: 2 * answerUnits, prompt_tokens: 460, completion_tokens: 200 }])
    const [row] = await consumptionRows(app.root, customer.username)
    const other = JSON.parse(row?.other ?? '{}') as Frame
    expect(other).toMatchObject({ ws: true, audio_input: 160, audio_output: 120, text_output: 80 })
    expect((other['receipt'] as Frame)['total']).toBe(2 * answerUnits)
    expect(row?.['is_stream']).toBe(true)
  })

  it('charges nothing for a session without an answer', async () => {
    const customer = await newCustomer()
    const client = await new Client(customer.key).opened()
    client.socket.close()
    await expect.poll(() => consumptionRows(app.root, customer.username)).toHaveLength(1)
    expect(await balanceOf(customer)).toBe(1_000_000)
  })

  it.each(['response.audio.delta', 'response.output_audio.delta'])(
    'counts %s itself when the upstream tells no usage',
    async (type) => {
      const customer = await newCustomer()
      serve = (socket) => {
        send(socket, { type: 'session.created', session: {} })
        send(socket, { type: 'response.created', response: {} })
        // One second of pcm16, which is 13 or 14 tokens.
        send(socket, { type, delta: Buffer.alloc(48_000).toString('base64') })
        send(socket, { type: 'response.done', response: { usage: null } })
      }
      const client = await new Client(customer.key).opened()
      await client.frame('response.done')
      expect(1_000_000 - (await balanceOf(customer))).toBe(14 * 20)
      client.socket.close()
    },
  )

  it('hands on how the upstream closed', async () => {
    serve = (socket) => {
      send(socket, { type: 'session.created', session: {} })
      socket.on('message', () => socket.close(4001, 'session expired'))
    }
    const client = await new Client((await newCustomer()).key).opened()
    client.send({ type: 'response.create' })
    expect(await client.closed).toEqual({ code: 4001, reason: 'session expired' })
  })
})

describe('the end of the money', () => {
  it('refuses a session that cannot be reserved for', async () => {
    const client = new Client((await newCustomer(10)).key)
    expect(await client.frame('error')).toMatchObject({
      event_id: expect.stringMatching(/^evt_/),
      error: { code: 'insufficient_user_quota' },
    })
    expect((await client.closed).code).toBe(1008)
  })

  it('cuts off after an answer that leaves too little for another', async () => {
    const customer = await newCustomer(answerUnits + 100)
    const client = await new Client(customer.key).opened()
    client.send({ type: 'response.create' })
    await client.frame('response.done')
    expect(await client.frame('error')).toMatchObject({
      error: { code: 'insufficient_user_quota', type: 'insufficient_quota' },
    })
    expect((await client.closed).code).toBe(1008)
    expect(await balanceOf(customer)).toBe(100)
    await expect
      .poll(() => consumptionRows(app.root, customer.username))
      .toMatchObject([{ quota: answerUnits }])
  })

  it('cuts off in the middle of an answer', async () => {
    const customer = await newCustomer(2_000)
    serve = (socket) => {
      send(socket, { type: 'session.created', session: {} })
      send(socket, { type: 'response.created', response: {} })
      const second = Buffer.alloc(48_000).toString('base64')
      for (let sent = 0; sent < 60; sent += 1)
        send(socket, { type: 'response.output_audio.delta', delta: second })
    }
    const client = await new Client(customer.key).opened()
    await client.frame('error')
    expect((await client.closed).code).toBe(1008)
    const seconds = client.frames.filter(({ type }) => type === 'response.output_audio.delta')
    expect(seconds.length).toBeLessThan(10)
    expect(await balanceOf(customer)).toBeLessThan(300)
    await expect.poll(() => consumptionRows(app.root, customer.username)).toHaveLength(1)
    const [row] = await consumptionRows(app.root, customer.username)
    expect(JSON.parse(row?.other ?? '{}')).toMatchObject({ end: 'balance_used_up' })
  })

  it('reads an answer on when the client leaves, and bills it', async () => {
    const customer = await newCustomer()
    let finish: () => void = () => undefined
    serve = (socket) => {
      send(socket, { type: 'session.created', session: {} })
      send(socket, { type: 'response.created', response: {} })
      send(socket, { type: 'response.output_text.delta', delta: 'Hello' })
      finish = () => send(socket, { type: 'response.done', response: { usage } })
    }
    const client = new Client(customer.key)
    await client.frame('response.output_text.delta')
    client.socket.terminate()
    await client.closed
    finish()
    await expect.poll(() => consumptionRows(app.root, customer.username)).toHaveLength(1)
    expect(await balanceOf(customer)).toBe(1_000_000 - answerUnits)
  })
})

describe('refusing a realtime session', () => {
  it.each([
    { what: 'an unknown key', key: () => 'sk-nobody', query: model, status: 401 },
    { what: 'an unknown model', key: undefined, query: 'nothing', status: 404 },
    { what: 'no model', key: undefined, query: '', status: 400 },
  ])('answers the handshake of $what with $status', async ({ key, query, status }) => {
    const client = new Client(key?.() ?? (await newCustomer()).key, { model: query })
    const refusal = await refusalOf(client.socket)
    expect(refusal.status).toBe(status)
    expect(refusal.body).toHaveProperty('error.message')
  })

  it('tries the next channel when the first refuses with its first frame', async () => {
    await app.root.put('/api/option/', { key: 'RetryTimes', value: '1' })
    const good = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await once(good, 'listening')
    good.on('connection', (socket) => send(socket, { type: 'session.created', session: {} }))
    const port = (good.address() as AddressInfo).port
    const second = await addChannel(app.root, {
      base_url: `http://127.0.0.1:${port}`,
      models: model,
      priority: -1,
    })
    serve = (socket) =>
      send(socket, { type: 'error', error: { type: 'server_error', message: 'down' } })
    const customer = await newCustomer()
    const client = await new Client(customer.key).opened()
    expect(client.frames).toHaveLength(1)
    client.socket.close()
    await expect.poll(() => consumptionRows(app.root, customer.username)).toHaveLength(1)
    const [row] = await consumptionRows(app.root, customer.username)
    expect(JSON.parse(row?.other ?? '{}')).toMatchObject({
      admin_info: {
        use_channel: [String(channelId), String(second)],
        attempts: [
          {
            channel_id: channelId,
            failure_class: 'upstream',
            started_at_ms: expect.any(Number),
            duration_ms: expect.any(Number),
          },
          {
            channel_id: second,
            status: 200,
            started_at_ms: expect.any(Number),
            duration_ms: expect.any(Number),
          },
        ],
      },
    })
    await app.root.call('DELETE', `/api/channel/${second}`)
    await app.root.put('/api/option/', { key: 'RetryTimes', value: '0' })
    good.close()
  })

  it('tells a failure of all channels in a frame, without the upstream key', async () => {
    serve = (socket) =>
      send(socket, {
        type: 'error',
        error: { type: 'invalid_request_error', code: 'model_not_found', message: 'sk-upstream?' },
      })
    const client = new Client((await newCustomer()).key)
    const frame = await client.frame('error')
    expect(frame).toMatchObject({ error: { code: 'model_not_found' } })
    expect(JSON.stringify(frame)).not.toContain('sk-upstream')
    await client.closed
  })

  it('checks the words of each prompt of a session', async () => {
    await app.root.put('/api/option/', { key: 'SensitiveWords', value: 'forbidden' })
    const client = await new Client((await newCustomer()).key).opened()
    const content = [{ type: 'input_text', text: 'Something forbidden' }]
    client.send({ type: 'conversation.item.create', item: { role: 'user', content } })
    expect(await client.frame('error')).toMatchObject({
      error: { code: 'sensitive_words_detected' },
    })
    client.send({ type: 'response.create' })
    await client.frame('response.done')
    client.socket.close()
    await app.root.put('/api/option/', { key: 'SensitiveWords', value: '' })
  })

  it('refuses a frame of too many values or levels, and goes on', async () => {
    const customer = await newCustomer()
    const client = await new Client(customer.key).opened()
    const levels = '['.repeat(200) + ']'.repeat(200)
    client.socket.send(`{"type":"session.update","session":${levels}}`)
    expect(await client.frame('error', 1)).toMatchObject({
      error: {
        type: 'invalid_request_error',
        message: expect.stringContaining('nested') as string,
      },
    })
    client.socket.send(`{"type":"session.update","session":[${'0,'.repeat(600_000)}0]}`)
    expect(await client.frame('error', 2)).toMatchObject({
      error: { message: expect.stringContaining('values') as string },
    })
    expect(client.socket.readyState).toBe(WebSocket.OPEN)
    client.socket.close()
    await client.closed
  })
})

describe('a session that outlives its generation or its process', () => {
  it('goes on while plugins are switched', async () => {
    const client = await new Client((await newCustomer()).key).opened()
    await app.root.put('/api/plugin', { id: 'home', enabled: false })
    client.send({ type: 'response.create' })
    await client.frame('response.done')
    await app.root.put('/api/plugin', { id: 'home', enabled: true })
    client.send({ type: 'response.create' })
    await client.frame('response.done', 2)
    client.socket.close()
  })

  it('ends after the answer under way when the gateway stops, and is booked', async () => {
    const customer = await newCustomer()
    let finish: () => void = () => undefined
    serve = (socket) => {
      send(socket, { type: 'session.created', session: {} })
      send(socket, { type: 'response.created', response: {} })
      finish = () => send(socket, { type: 'response.done', response: { usage } })
    }
    const client = new Client(customer.key)
    await client.frame('response.created')
    const restarted = app.restart()
    finish()
    expect((await client.closed).code).toBe(1001)
    await restarted
    await expect
      .poll(() => consumptionRows(app.root, customer.username))
      .toMatchObject([{ quota: answerUnits }])
  })
})
