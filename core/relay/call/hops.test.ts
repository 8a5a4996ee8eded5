// Channels that lead to gateways: to this one by mistake, to another on purpose.
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  type Customer,
  fakeUpstream,
  type FakeUpstream,
  setPrice,
  startApp,
} from '#test'
import { RealtimeClient } from '../../../test/harness/counterparts/frame-clients.ts'

/** The last two are served by channels that go on to another gateway. */
const models = ['round', 'gpt-realtime-round', 'across', 'back', 'real']

let here: App
let there: App
let upstream: FakeUpstream
let customer: Customer
/** In front of `here`, as a load balancer: counts what passes, and what the calls said of their way. */
let door: Server
let passed: IncomingHttpHeaders[] = []

beforeAll(async () => {
  upstream = await fakeUpstream()
  ;[here, there] = await Promise.all([newGateway(), newGateway()])
  door = createServer((request, response) => {
    passed.push(request.headers)
    const { method = 'GET', headers } = request
    const url = `${here.url}${request.url}`
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
      const sent = { authorization: String(headers.authorization), ...hopsOf(headers) }
      const answer = await fetch(url, {
        method,
        headers: { ...sent, 'content-type': 'application/json' },
        body: Buffer.concat(chunks),
      })
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? '',
      })
      response.end(Buffer.from(await answer.arrayBuffer()))
    })()
  })
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  customer = await addCustomer(here.root, 'traveller', 10_000_000)
  const guest = await addCustomer(there.root, 'traveller', 10_000_000)
  for (const model of models) {
    await setPrice(here.root, model, 1)
    await setPrice(there.root, model, 1)
  }
  const doorUrl = `http://127.0.0.1:${(door.address() as AddressInfo).port}`
  await addChannel(here.root, { base_url: doorUrl, models: 'round', key: customer.key })
  await addChannel(here.root, {
    base_url: here.url,
    models: 'gpt-realtime-round',
    key: customer.key,
  })
  await addChannel(here.root, { base_url: there.url, models: 'across,back', key: guest.key })
  await addChannel(there.root, { base_url: upstream.url, models: 'across' })
  await addChannel(there.root, { base_url: doorUrl, models: 'back', key: customer.key })
  await here.root.put('/api/option/', { key: 'RetryTimes', value: '3' })
})

afterAll(async () => {
  await Promise.all([here.close(), there.close(), upstream.close()])
  door.close()
})

function newGateway(): Promise<App> {
  return startApp({ isWithin: true, env: { SECRET_KEY: randomBytes(32).toString('hex') } })
}

function hopsOf(headers: IncomingHttpHeaders): Record<string, string> {
  const hops = headers['x-tollgate-hop']
  return typeof hops === 'string' ? { 'x-tollgate-hop': hops } : {}
}

async function call(path: string, body: object, headers: Record<string, string> = {}) {
  const answer = await fetch(`${here.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${customer.key}`,
      'x-api-key': customer.key,
      'x-goog-api-key': customer.key,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

const messages = [{ role: 'user', content: 'Hi' }]
const chat = (model: string) => ({ model, messages, max_tokens: 5 })

describe('a channel that leads to the gateway itself', () => {
  it.each([
    { path: '/v1/chat/completions', body: chat('round') },
    { path: '/v1/messages', body: chat('round') },
    { path: '/v1/responses', body: { model: 'round', input: 'Hi' } },
    {
      path: '/v1beta/models/round:generateContent',
      body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    },
    { path: '/v1/embeddings', body: { model: 'round', input: 'Hi' } },
  ])('is refused at the second pass of $path', async ({ path, body }) => {
    passed = []
    const answer = await call(path, body)
    expect(answer.status).toBe(508)
    const words = JSON.stringify(answer.body)
    expect(words).toContain('leads to the gateway itself')
    // One id, that of the call as its client knows it.
    expect(words.split('(request id: ')).toHaveLength(2)
    // Once, and once for each retry that the admin allowed.
    expect(passed.length).toBeLessThanOrEqual(4)
    expect(passed.length).toBeGreaterThan(0)
  })

  it('ends a realtime session at its second pass', async () => {
    const client = new RealtimeClient(here.url, customer.key, { model: 'gpt-realtime-round' })
    expect(await client.frame('error')).toMatchObject({ error: { code: 'loop_detected' } })
    await client.closed
  })
})

describe('a chain of gateways', () => {
  it('serves a call that another installation answers', async () => {
    expect(await call('/v1/chat/completions', chat('across'))).toMatchObject({ status: 200 })
  })

  it('is refused when it comes back by way of another installation', async () => {
    passed = []
    expect(await call('/v1/chat/completions', chat('back'))).toMatchObject({ status: 508 })
    expect(passed.length).toBeLessThanOrEqual(4)
    const hops = String(passed[0]?.['x-tollgate-hop']).split(', ')
    expect(hops).toHaveLength(2)
    expect(new Set(hops).size).toBe(2)
  })

  it('hands on ids only, and ends where it is too long', async () => {
    const id = (number: number) => String(number).repeat(32)
    const through = (hops: string) =>
      call('/v1/chat/completions', chat('across'), { 'x-tollgate-hop': hops })
    expect((await through(`${id(1)}, <script>, ${id(2)}`)).status).toBe(200)
    expect((await through([1, 2, 3, 4, 5, 6, 7, 8].map(id).join())).status).toBe(508)
  })
})
