import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  balanceOf,
  channelType,
  consumptionRows,
  type Customer,
  setPrice,
  startApp,
} from '#test'

type Body = Record<string, unknown>
interface Seen {
  method: string
  url: string
  key: string
  body: Body
}

let app: App
let upstream: Server
let owner: Customer
let stranger: Customer
let seen: Seen[] = []
let made = 0
/** By id: what a GET answers. */
const stored = new Map<string, Body>()

beforeAll(async () => {
  upstream = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  app = await startApp({ isWithin: true })
  await setPrice(app.root, 'm', 1)
  await setPrice(app.root, 'claude', 1)
  for (const key of ['sk-first-1', 'sk-second-2\nsk-third-3', 'sk-fourth-4'])
    await addChannel(app.root, {
      base_url: baseUrl(),
      models: 'm',
      key,
      model_mapping: '{"m":"upstream-m"}',
      setting: JSON.stringify({ multi_key: true }),
    })
  await addChannel(app.root, { base_url: baseUrl(), models: 'claude', type: channelType.anthropic })
  owner = await addCustomer(app.root, 'owner', 1_000_000)
  stranger = await addCustomer(app.root, 'stranger', 1_000_000)
})

beforeEach(() => {
  seen = []
})

afterAll(async () => {
  await app.close()
  upstream.closeAllConnections()
  upstream.close()
})

function baseUrl(): string {
  return `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const sent = await text(request)
  const { method = '', url = '' } = request
  const key = String(request.headers.authorization).replace('Bearer ', '')
  const body = sent === '' ? {} : (JSON.parse(sent) as Body)
  seen.push({ method, url, key, body })
  const answer = method === 'POST' && url === '/v1/responses' ? make(body) : about(url)
  response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
  response.end(JSON.stringify(answer ?? { error: { message: 'gone', type: 'x', code: null } }))
}

function make(body: Body): Body {
  made += 1
  const id = `resp_${made}`
  const response = {
    id,
    object: 'response',
    created_at: 1,
    model: body['model'],
    status: 'completed',
    output: [
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
      },
    ],
    usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
  }
  stored.set(id, response)
  return body['background'] === true
    ? { ...response, status: 'queued', output: [], usage: null }
    : response
}

function about(url: string): Body | undefined {
  const [, , , id = '', rest] = new URL(url, 'http://x').pathname.split('/')
  const response = stored.get(id)
  if (rest === 'input_items') return response && { object: 'list', data: [] }
  return rest === 'cancel' ? response && { ...response, status: 'cancelled' } : response
}

const client = ({ key }: Customer) =>
  new OpenAI({ apiKey: key, baseURL: `${app.url}/v1`, maxRetries: 0 })

const create = (customer: Customer, more: object = {}) =>
  client(customer).responses.create({ model: 'm', input: 'Hi', ...more })

describe('stored responses', () => {
  it('are fetched from the channel and with the key that made them, free of charge', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { id } = await create(owner)
      const before = await balanceOf(owner)
      const fetched = await client(owner).responses.retrieve(id)
      expect(fetched).toMatchObject({ id, model: 'm', status: 'completed' })
      expect(await balanceOf(owner)).toBe(before)
      expect(seen.at(-1)).toMatchObject({ method: 'GET', url: `/v1/responses/${id}` })
      expect(seen.at(-1)?.key).toBe(seen.at(-2)?.key)
    }
  })

  it('are listed, cancelled and deleted there too', async () => {
    const { id } = await create(owner)
    const { responses } = client(owner)
    await responses.inputItems.list(id, { limit: 5, include: ['reasoning.encrypted_content'] })
    expect(seen.at(-1)?.url).toBe(
      `/v1/responses/${id}/input_items?limit=5&include%5B%5D=reasoning.encrypted_content`,
    )
    expect(await responses.cancel(id)).toMatchObject({ status: 'cancelled' })
    await responses.delete(id)
    expect(new Set(seen.map(({ key }) => key)).size).toBe(1)
    await expect(responses.retrieve(id)).rejects.toMatchObject({ status: 404 })
  })

  it('are their owner’s alone', async () => {
    const { id } = await create(owner)
    const calls = seen.length
    const { responses } = client(stranger)
    for (const call of [
      () => responses.retrieve(id),
      () => responses.cancel(id),
      () => responses.delete(id),
      () => responses.inputItems.list(id),
    ])
      await expect(call()).rejects.toMatchObject({ status: 404, code: 'response_not_found' })
    await expect(create(stranger, { previous_response_id: id })).rejects.toMatchObject({
      status: 400,
      code: 'previous_response_not_found',
      param: 'previous_response_id',
    })
    expect(seen).toHaveLength(calls)
  })

  it('are not known when the client did not want them stored', async () => {
    const { id } = await create(owner, { store: false })
    await expect(client(owner).responses.retrieve(id)).rejects.toMatchObject({ status: 404 })
  })

  it('are known after a restart', async () => {
    const { id } = await create(owner)
    const { key } = seen.at(-1) as Seen
    await app.restart()
    expect(await client(owner).responses.retrieve(id)).toMatchObject({ id })
    expect(seen.at(-1)?.key).toBe(key)
  })
})

describe('previous_response_id', () => {
  it('leads to the channel and key of that response, streamed or not', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { id } = await create(owner)
      await create(owner, { previous_response_id: id })
      expect(seen.at(-1)?.key).toBe(seen.at(-2)?.key)
      expect(seen.at(-1)?.body).toMatchObject({ previous_response_id: id, model: 'upstream-m' })
    }
  })

  it('is left to the upstream when nobody here made it', async () => {
    await create(owner, { previous_response_id: 'resp_of_elsewhere' })
    expect(seen.at(-1)?.body).toMatchObject({ previous_response_id: 'resp_of_elsewhere' })
  })

  it('is refused where the upstream is converted', async () => {
    await expect(
      create(owner, { model: 'claude', previous_response_id: 'resp_1' }),
    ).rejects.toMatchObject({
      status: 400,
      code: 'unsupported_parameter',
      param: 'previous_response_id',
    })
    expect(seen).toEqual([])
  })
})

describe('a response made in the background', () => {
  it('is charged when it is done, once', async () => {
    const customer = await addCustomer(app.root, 'waiter', 1_000_000)
    const answer = await create(customer, { background: true })
    expect(answer.status).toBe('queued')
    expect(await balanceOf(customer)).toBe(1_000_000)
    await expect
      .poll(() => consumptionRows(app.root, customer.username))
      .toMatchObject([{ quota: 15 }])
    await client(customer).responses.retrieve(answer.id)
    expect(await balanceOf(customer)).toBe(1_000_000 - 15)
  })
})
