import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import {
  addChannel,
  addCustomer,
  type App,
  consumptionRows,
  type Customer,
  setPrice,
  startApp,
} from '#test'
import {
  RealtimeClient,
  refusalOf,
  sendFrame,
} from '../../../test/harness/counterparts/frame-clients.ts'

const model = 'gpt-realtime'
let app: App
let upstream: WebSocketServer
let channelId: number
let customers = 0

beforeAll(async () => {
  upstream = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(upstream, 'listening')
  upstream.on('connection', (socket) => {
    sendFrame(socket, { type: 'session.created', session: { id: 'sess_1' } })
    // An answer that begins and never ends.
    socket.on('message', () => {
      sendFrame(socket, { type: 'response.created', response: { id: 'resp_1' } })
      sendFrame(socket, { type: 'response.output_text.delta', delta: 'Hello there' })
    })
  })
  app = await startApp({
    isWithin: true,
    env: {
      REALTIME_MAX_SESSIONS: '3',
      REALTIME_MAX_SESSIONS_PER_USER: '2',
      SHUTDOWN_SECONDS: '1',
    },
  })
  const { port } = upstream.address() as AddressInfo
  channelId = await addChannel(app.root, { base_url: `http://127.0.0.1:${port}`, models: model })
  await setPrice(app.root, model, 100)
})

afterEach(() => {
  for (const socket of upstream.clients) socket.terminate()
})

afterAll(async () => {
  await app.close()
  upstream.close()
})

function newCustomer(): Promise<Customer> {
  customers += 1
  return addCustomer(app.root, `banned${customers}`, 1_000_000)
}

const connect = ({ key }: Customer) => new RealtimeClient(app.url, key, { model })

const nowSeconds = () => Math.floor(Date.now() / 1000)

interface Withdrawal {
  what: string
  withdraw: (customer: Customer) => Promise<unknown>
  restore?: () => Promise<unknown>
  code: number
  reason: string
}

const withdrawals: Withdrawal[] = [
  {
    what: 'its owner is disabled',
    withdraw: ({ id }) => app.root.post('/api/user/manage', { id, action: 'disable' }),
    code: 1008,
    reason: 'user_disabled',
  },
  {
    what: 'its owner is deleted',
    withdraw: ({ id }) => app.root.post('/api/user/manage', { id, action: 'delete' }),
    code: 1008,
    reason: 'invalid_api_key',
  },
  {
    what: 'its token is disabled',
    withdraw: ({ client, token }) =>
      client.put('/api/token/?status_only=true', { id: token.id, status: 2 }),
    code: 1008,
    reason: 'api_key_disabled',
  },
  {
    what: 'its token is deleted',
    withdraw: ({ client, token }) => client.call('DELETE', `/api/token/${token.id}`),
    code: 1008,
    reason: 'invalid_api_key',
  },
  {
    what: 'its token expires',
    withdraw: ({ client, token }) =>
      client.put('/api/token/', { ...token, expired_time: nowSeconds() + 1 }),
    code: 1008,
    reason: 'api_key_expired',
  },
  {
    what: 'its token may not use the model any more',
    withdraw: ({ client, token }) =>
      client.put('/api/token/', { ...token, model_limits_enabled: true, model_limits: 'other' }),
    code: 1008,
    reason: 'model_not_allowed',
  },
  {
    what: 'its token may not be used from there any more',
    withdraw: ({ client, token }) =>
      client.put('/api/token/', { ...token, allow_ips: '192.0.2.1' }),
    code: 1008,
    reason: 'ip_not_allowed',
  },
  {
    what: 'its channel is disabled',
    withdraw: () => app.root.put('/api/channel/', { id: channelId, status: 2 }),
    restore: () => app.root.put('/api/channel/', { id: channelId, status: 1 }),
    code: 1013,
    reason: 'no_available_channel',
  },
]

describe('a realtime session that would not be let in any more', () => {
  it.each(withdrawals)('ends after $what', async ({ withdraw, restore, code, reason }) => {
    const customer = await newCustomer()
    const client = await connect(customer).opened()
    await withdraw(customer)
    expect(await client.closed).toEqual({ code, reason })
    expect(client.frames.at(-1)).toMatchObject({ type: 'error', error: { code: reason } })
    await restore?.()
  })

  it('is charged for what was delivered of the answer under way', async () => {
    const customer = await newCustomer()
    const client = await connect(customer).opened()
    client.send({ type: 'response.create' })
    await client.frame('response.output_text.delta')
    await app.root.post('/api/user/manage', { id: customer.id, action: 'disable' })
    expect((await client.closed).code).toBe(1008)
    await expect.poll(() => consumptionRows(app.root, customer.username)).toHaveLength(1)
    const [row] = await consumptionRows(app.root, customer.username)
    expect(row?.quota).toBeGreaterThan(0)
    expect(JSON.parse(row?.other ?? '{}')).toMatchObject({ end: 'access_ended' })
  })
})

describe('the places for realtime sessions', () => {
  it('are limited for a user, and free again when a session ends', async () => {
    const customer = await newCustomer()
    const [one] = await Promise.all([connect(customer).opened(), connect(customer).opened()])
    const refusal = await refusalOf(connect(customer).socket)
    expect(refusal).toMatchObject({ status: 429, body: { error: { code: 'too_many_sessions' } } })
    one.socket.close()
    await one.closed
    await expect.poll(() => consumptionRows(app.root, customer.username)).toHaveLength(1)
    await connect(customer).opened()
  })

  it('are limited for all together', async () => {
    const [one, other] = [await newCustomer(), await newCustomer()]
    await Promise.all([connect(one).opened(), connect(one).opened(), connect(other).opened()])
    const refusal = await refusalOf(connect(other).socket)
    expect(refusal).toMatchObject({ status: 503, body: { error: { code: 'sessions_full' } } })
  })
})

describe('a stop that comes before the answer of a session ends', () => {
  it('tells the client, closes as going away and books what was delivered', async () => {
    const customer = await newCustomer()
    const client = await connect(customer).opened()
    client.send({ type: 'response.create' })
    await client.frame('response.output_text.delta')
    await app.restart()
    expect(await client.closed).toEqual({ code: 1001, reason: 'gateway_stopping' })
    expect(client.frames.at(-1)).toMatchObject({ error: { code: 'gateway_stopping' } })
    const [row] = await consumptionRows(app.root, customer.username)
    expect(row?.quota).toBeGreaterThan(0)
    expect(JSON.parse(row?.other ?? '{}')).toMatchObject({ end: 'gateway_stopped' })
  })
})
