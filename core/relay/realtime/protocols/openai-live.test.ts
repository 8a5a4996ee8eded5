// The Live API of OpenAI with its own SDK: sold by the second, with what it has other models do beside.
import { once } from 'node:events'
import OpenAI from 'openai'
import { LiveWS } from 'openai/resources/live/ws'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import {
  addChannel,
  addCustomer,
  type App,
  balanceOf,
  consumptionRows,
  type Customer,
  setPrice,
  startApp,
} from '#test'
import {
  type Frame,
  FrameClient,
  refusalOf,
  sendFrame as send,
} from '../../../../test/harness/counterparts/frame-clients.ts'
import { FrameUpstream } from '../../../../test/harness/counterparts/frame-upstream.ts'

const live = 'gpt-live-1.1'
const delegate = 'gpt-6-luna'
const cheap = 'cheap-thinker'
const balance = 10_000_000
/** Ratio 25: a minute is 1 000 tokens. */
const unitsOf = (seconds: number) => Math.round((seconds / 60) * 1000) * 25
const start = { type: 'session.start', session: { model: live, instructions: 'Be brief.' } }

let app: App
let upstream: FrameUpstream
let customer: Customer
let customers = 0

beforeAll(async () => {
  upstream = await FrameUpstream.open()
  app = await startApp({ isWithin: true })
  await addChannel(app.root, {
    base_url: upstream.url,
    models: `${live},${delegate},mapped-voice,free-voice,fixed-voice`,
    model_mapping: JSON.stringify({ 'mapped-voice': 'gpt-live-1' }),
  })
})

beforeEach(async () => {
  customers += 1
  customer = await addCustomer(app.root, `caller${customers}`, balance)
  upstream.heard = []
  upstream.respond = answer
})

afterEach(() => upstream.dropAll())

afterAll(async () => {
  await app.close()
  upstream.close()
})

/** Sessions start at once and have lasted ninety seconds at their end. */
function answer(socket: WebSocket, frame: Frame): void {
  if (frame['type'] === 'session.start')
    send(socket, { type: 'session.started', event_id: 'e1', session: { id: 'live_1' } })
  if (frame['type'] === 'session.close') {
    send(socket, {
      type: 'session.closed',
      event_id: 'e9',
      reason: 'close_requested',
      usage: { seconds: 12.5 },
    })
    socket.close()
  }
}

const connect = ({ key }: Customer) => new FrameClient(`${app.url}/v1/live/sessions`, key)

async function started(session: Frame = {}): Promise<FrameClient> {
  const client = connect(customer)
  await once(client.socket, 'open')
  client.send({ ...start, session: { ...start.session, ...session } })
  await client.frame('session.started')
  return client
}

async function rowOf({ username }: Customer) {
  await expect.poll(() => consumptionRows(app.root, username)).toHaveLength(1)
  const [row] = await consumptionRows(app.root, username)
  if (!row) throw new Error('the row is gone')
  return { ...row, other: JSON.parse(row.other) as Frame }
}

describe('a live session', () => {
  it('runs with the official SDK and is charged by the second when it ends', async () => {
    const client = new OpenAI({ apiKey: customer.key, baseURL: `${app.url}/v1` })
    const session = new LiveWS(client)
    const seen: string[] = []
    session.on('event', ({ type }) => void seen.push(type))
    await new Promise((resolve) => session.socket.on('open', resolve))
    session.send({ type: 'session.start', session: { model: live } })
    await new Promise<void>((resolve) => session.on('session.started', () => resolve()))
    session.send({ type: 'session.close' })
    await new Promise<void>((resolve) => session.on('session.closed', () => resolve()))
    expect(await balanceOf(customer)).toBe(balance - unitsOf(13))
    expect(seen).toEqual(['session.started', 'session.closed'])
    expect(upstream.heard[0]).toEqual({ url: '/v1/live/sessions', key: 'Bearer sk-upstream' })
    expect(await rowOf(customer)).toMatchObject({
      quota: unitsOf(13),
      prompt_tokens: 217,
      model_name: live,
      other: { ws: true, audio_input: 217, text_input: 0 },
    })
  })

  it('that the client leaves is ended in good order, and charged by the last word of the upstream', async () => {
    const client = await started()
    client.socket.close()
    const { quota } = await rowOf(customer)
    expect(quota).toBe(unitsOf(13))
    expect(upstream.heard.at(-1)).toEqual({ type: 'session.close' })
  })

  it.each([1e9, 0, '12.5'])(
    'is charged by the clock where the upstream tells what cannot be: %s',
    async (seconds) => {
      upstream.respond = (socket, frame) => {
        if (frame['type'] !== 'session.close') return answer(socket, frame)
        send(socket, { type: 'session.closed', usage: { seconds } })
      }
      const client = await started()
      const startedAtMs = performance.now()
      await expect
        .poll(() => performance.now() - startedAtMs, { timeout: 3000 })
        .toBeGreaterThan(1100)
      client.send({ type: 'session.close' })
      await client.frame('session.closed')
      client.socket.close()
      const { quota } = await rowOf(customer)
      expect([unitsOf(1), unitsOf(2)]).toContain(quota)
    },
  )

  it('costs nothing that the upstream ends before it has begun', async () => {
    upstream.respond = (socket) => {
      send(socket, { type: 'session.usage.updated', usage: {} })
      send(socket, { type: 'session.closed', reason: 'refused' })
      socket.close()
    }
    const client = connect(customer)
    await once(client.socket, 'open')
    client.send(start)
    await client.closed
    expect((await rowOf(customer)).quota).toBe(0)
  })

  it('is charged as it goes on, each second once', async () => {
    const client = await started()
    const told = upstream.socket
    for (const seconds of [5, 5, 11])
      send(told, { type: 'session.usage.updated', usage: { seconds } })
    await client.frame('session.usage.updated', 3)
    expect(await balanceOf(customer)).toBe(balance - unitsOf(11))
    client.send({ type: 'session.close' })
    await client.closed
    expect((await rowOf(customer)).quota).toBe(unitsOf(13))
  })

  it('ends when the balance does, though no frame comes', async () => {
    await app.root.put('/api/option/', { key: 'PreConsumedQuota', value: '10' })
    customer = await addCustomer(app.root, 'poor', unitsOf(1) + 10)
    const client = await started()
    expect(await client.frame('error')).toMatchObject({
      error: { code: 'insufficient_user_quota' },
    })
    expect((await client.closed).code).toBe(1008)
    const { quota, other } = await rowOf(customer)
    // A second more than it has, or as much more as the machine is late.
    expect(quota).toBeGreaterThan(unitsOf(1))
    expect(quota).toBeLessThanOrEqual(unitsOf(5))
    expect(other).toMatchObject({ end: 'balance_used_up' })
    await app.root.put('/api/option/', { key: 'PreConsumedQuota', value: '500' })
  })

  it('ends with the balance though the client reads nothing', async () => {
    await app.root.put('/api/option/', { key: 'PreConsumedQuota', value: '10' })
    customer = await addCustomer(app.root, 'deaf', unitsOf(1) + 10)
    const client = await started()
    client.socket.pause()
    const delta = 'A'.repeat(1_000_000)
    for (let count = 0; count < 30; count += 1)
      send(upstream.socket, { type: 'session.output_audio.delta', delta })
    await expect.poll(() => consumptionRows(app.root, 'deaf'), { timeout: 10_000 }).toHaveLength(1)
    const [row] = await consumptionRows(app.root, 'deaf')
    expect(JSON.parse(row?.other ?? '{}')).toMatchObject({ end: 'balance_used_up' })
    client.socket.terminate()
    await app.root.put('/api/option/', { key: 'PreConsumedQuota', value: '500' })
  })

  it('is called by the upstream what the channel maps its model to', async () => {
    await setPrice(app.root, 'mapped-voice', 1)
    const client = await started({ model: 'mapped-voice' })
    client.send({ type: 'session.close' })
    await client.closed
    expect(upstream.heard[1]).toEqual({
      ...start,
      session: { ...start.session, model: 'gpt-live-1' },
    })
    expect((await rowOf(customer)).model_name).toBe('mapped-voice')
  })

  it('moves to another channel if the upstream refuses its start', async () => {
    await app.root.put('/api/option/', { key: 'RetryTimes', value: '1' })
    const bad = await addChannel(app.root, {
      base_url: upstream.url,
      models: live,
      key: 'sk-refused',
      priority: 9,
    })
    upstream.respond = (socket, frame) => {
      if (upstream.heard.at(-2)?.['key'] !== 'Bearer sk-refused') return answer(socket, frame)
      send(socket, { type: 'error', error: { type: 'server_error', message: 'Overloaded.' } })
    }
    const client = await started()
    client.send({ type: 'session.close' })
    await client.closed
    expect(client.frames.map(({ type }) => type)).toEqual(['session.started', 'session.closed'])
    await app.root.delete(`/api/channel/${bad}`)
  })
})

describe('what a live session has another model do', () => {
  const delegation = { type: 'responses', responses: { model: delegate, instructions: 'Search.' } }

  function responseEnds(socket: WebSocket): void {
    const nested = (event: Frame) => send(socket, { type: 'response.event', event })
    nested({ type: 'response.output_item.done', item: { type: 'web_search_call' } })
    nested({
      type: 'response.completed',
      response: { id: 'r1', model: delegate, usage: { input_tokens: 1000, output_tokens: 100 } },
    })
  }

  it('is charged at the prices of that model before the client is told', async () => {
    const client = await started({ delegation })
    responseEnds(upstream.socket)
    await client.frame('response.event', 2)
    const left = await balanceOf(customer)
    client.send({ type: 'session.close' })
    await client.closed
    const { quota, other } = await rowOf(customer)
    expect(quota).toBe(unitsOf(13) + balance - left)
    const { lines } = other['receipt'] as { lines: Frame[] }
    expect(lines.map(({ part, count }) => [part, count])).toEqual([
      ['input', 217],
      [`delegated:input@${delegate}`, 1000],
      [`delegated:output@${delegate}`, 100],
      [`delegated:tool:web_search@${delegate}`, 1],
    ])
    // Half a cent for the search at least.
    expect(balance - left).toBeGreaterThan(2_500)
  })

  it.each([
    ['that has no price', 'unpriced-model', 'model_price_error'],
    ['that the key may not use', 'gpt-image-2', 'model_not_allowed'],
  ])('is refused for a model %s, at the start and later', async (_, model, code) => {
    const { key } = await customer.client.post<{ key: string }>('/api/token/', {
      name: 'limited',
      unlimited_quota: true,
      model_limits_enabled: true,
      model_limits: `${live},${delegate},unpriced-model`,
    })
    const wish = { type: 'responses', responses: { model } }
    const field = 'session.delegation.responses.model'
    const refused = connect({ ...customer, key })
    await once(refused.socket, 'open')
    refused.send({ ...start, session: { ...start.session, delegation: wish } })
    expect(await refused.frame('error')).toMatchObject({ error: { code, param: field } })
    expect((await refused.closed).code).toBe(1008)
    const client = connect({ ...customer, key })
    await once(client.socket, 'open')
    client.send({ ...start, session: { ...start.session, delegation } })
    await client.frame('session.started')
    client.send({ type: 'session.update', session: { delegation: wish } })
    expect(await client.frame('error')).toMatchObject({ error: { code, param: field } })
    client.send({ type: 'session.close' })
    await client.closed
    expect(upstream.typesHeard).not.toContain('session.update')
  })
})

describe('delegations of a live session that run beside one another', () => {
  it('each have the tools that ran for them', async () => {
    const client = await started({ delegation: { responses: { model: delegate } } })
    const nested = (delegation_id: string, event: Frame) =>
      send(upstream.socket, { type: 'response.event', delegation_id, event })
    nested('one', { type: 'response.output_item.done', item: { type: 'web_search_call' } })
    const tool_usage = { web_search: { num_requests: 0 } }
    nested('other', { type: 'response.completed', response: { tool_usage } })
    nested('one', { type: 'response.completed', response: {} })
    await client.frame('response.event', 3)
    client.send({ type: 'session.close' })
    await client.closed
    const { lines } = (await rowOf(customer)).other['receipt'] as { lines: Frame[] }
    expect(lines.at(-1)).toMatchObject({ part: `delegated:tool:web_search@${delegate}`, count: 1 })
  })

  it('that decide are charged when they have', async () => {
    await app.root.put('/api/option/', { key: 'ModelPrice', value: '{"decider":0.01}' })
    const client = await started({ delegation: { decisions: { model: 'decider' } } })
    for (const type of ['decision.created', 'decision.completed', 'decision.completed'])
      send(upstream.socket, { type: 'decision.event', event: { type, decision: {} } })
    await client.frame('decision.event', 3)
    expect(await balanceOf(customer)).toBe(balance - 10_000)
  })
})

describe('what a live session delegates to more than one model', () => {
  const to = (model: string) => ({ type: 'responses', responses: { model } })

  function responseOf(model: string): void {
    const response = { model, usage: { input_tokens: 1000, output_tokens: 0 } }
    const event = { type: 'response.completed', response }
    send(upstream.socket, { type: 'response.event', event })
  }

  it('is charged at the price of the model that did it, whatever was named since', async () => {
    await setPrice(app.root, delegate, 10)
    await setPrice(app.root, cheap, 1)
    const client = await started({ delegation: to(delegate) })
    client.send({ type: 'session.update', session: { delegation: to(cheap) } })
    await expect.poll(() => upstream.heard.at(-1)?.['type']).toBe('session.update')
    responseOf(`${delegate}-2026-07-01`)
    await client.frame('response.event')
    expect(await balanceOf(customer)).toBe(balance - 10_000)
    responseOf(cheap)
    await client.frame('response.event', 2)
    expect(await balanceOf(customer)).toBe(balance - 11_000)
  })

  it('keeps the prices at which it began', async () => {
    await setPrice(app.root, delegate, 10)
    const client = await started({ delegation: to(delegate) })
    responseOf(delegate)
    await client.frame('response.event')
    await setPrice(app.root, delegate, 20)
    client.send({ type: 'session.update', session: { delegation: to(delegate) } })
    await expect.poll(() => upstream.heard.at(-1)?.['type']).toBe('session.update')
    responseOf(delegate)
    await client.frame('response.event', 2)
    expect(await balanceOf(customer)).toBe(balance - 20_000)
  })

  it('cannot be had at a dearer tier', async () => {
    const client = await started({ delegation: to(delegate) })
    const responses = { service_tier: 'priority' }
    client.send({ type: 'session.update', session: { delegation: { responses } } })
    const param = 'session.delegation.responses.service_tier'
    expect(await client.frame('error')).toMatchObject({ error: { param } })
    expect(upstream.heard.at(-1)?.['type']).toBe('session.start')
  })

  it.each(['free-voice', 'fixed-voice'])(
    'needs money of its own beside a session of %s, at the start and later',
    async (model) => {
      await setPrice(app.root, 'free-voice', 0)
      await setPrice(app.root, delegate, 100)
      await app.root.put('/api/option/', { key: 'ModelPrice', value: '{"fixed-voice":0.001}' })
      customer = await addCustomer(app.root, `poor-${model}`, 10_000)
      const refused = connect(customer)
      await once(refused.socket, 'open')
      refused.send({ ...start, session: { model, delegation: to(delegate) } })
      const code = 'insufficient_user_quota'
      expect(await refused.frame('error')).toMatchObject({ error: { code } })
      await refused.closed
      const client = await started({ model })
      client.send({ type: 'session.update', session: { delegation: to(delegate) } })
      expect(await client.frame('error')).toMatchObject({ error: { code } })
      client.send({ type: 'session.close' })
      await client.closed
      expect(upstream.typesHeard).toEqual([undefined, 'session.start', 'session.close'])
    },
  )

  it('is refused if one message names two', async () => {
    const client = connect(customer)
    await once(client.socket, 'open')
    const delegation = { ...to(cheap), decisions: { model: delegate } }
    client.send({ ...start, session: { ...start.session, delegation } })
    const param = 'session.delegation.decisions.model'
    expect(await client.frame('error')).toMatchObject({ error: { param } })
    await client.closed
    expect(upstream.heard).toEqual([])
  })
})

describe('a live session that is not begun as it should be', () => {
  it.each([
    ['without a key', '', 401],
    ['with a wrong key', 'sk-wrong', 401],
  ])('%s is refused by status', async (_, key, status) => {
    const { socket } = connect({ ...customer, key })
    expect((await refusalOf(socket)).status).toBe(status)
  })

  it.each([
    ['{"type":"session.start","session":{}}', 'session.model'],
    ['{"type":"session.update","session":{"model":"gpt-live-1.1"}}', 'session.model'],
    ['[1]', 'session.model'],
    ['{', 'session.model'],
    [`{"type":"session.start","session":{"model":"${live}","model":"${live}"}}`, 'model'],
    ['{"type":"session.start","session":{"model":"gpt-none"}}', 'model'],
  ])('is told what is wrong with %s', async (text, param) => {
    const client = connect(customer)
    await once(client.socket, 'open')
    client.socket.send(text)
    expect(await client.frame('error')).toMatchObject({ error: { param } })
    expect((await client.closed).code).toBe(1008)
    expect(await balanceOf(customer)).toBe(balance)
  })

  it.each([
    ['text', (deep: string) => deep],
    ['bytes', (deep: string) => Buffer.from(deep)],
  ])('is told that its first message is nested too deep, as %s', async (_, data) => {
    const client = connect(customer)
    await once(client.socket, 'open')
    client.socket.send(data(`{"type":"session.start","session":${'['.repeat(200)}`))
    expect(await client.frame('error')).toMatchObject({
      error: { message: expect.stringContaining('nested more than 128') },
    })
    await client.closed
  })

  it('is refused if its key was withdrawn before the first message', async () => {
    const client = connect(customer)
    await once(client.socket, 'open')
    await customer.client.put('/api/token/?status_only=true', { id: customer.token.id, status: 2 })
    client.send(start)
    expect(await client.closed).toEqual({ code: 1008, reason: 'api_key_disabled' })
    expect(upstream.heard).toEqual([])
  })

  it('names its model once', async () => {
    const client = await started()
    client.send({ ...start, session: { model: 'gpt-live-1' } })
    expect(await client.frame('error')).toMatchObject({ error: { param: 'session.model' } })
    client.send({ type: 'session.close' })
    await client.closed
    expect(upstream.heard.filter(({ type }) => type === 'session.start')).toHaveLength(1)
  })

  it('holds no word that is not allowed, at the start or later', async () => {
    await app.root.put('/api/option/', { key: 'SensitiveWords', value: 'plutonium' })
    const client = connect(customer)
    await once(client.socket, 'open')
    client.send({ ...start, session: { ...start.session, instructions: 'Sell plutonium.' } })
    expect(await client.frame('error')).toMatchObject({
      error: { code: 'sensitive_words_detected' },
    })
    const other = await started()
    other.send({ type: 'session.thinking.append', content: 'Plutonium!', delegation_id: null })
    await other.frame('error')
    other.send({ type: 'session.close' })
    await other.closed
    expect(upstream.typesHeard).not.toContain('session.thinking.append')
    await app.root.put('/api/option/', { key: 'SensitiveWords', value: '' })
  })
})
