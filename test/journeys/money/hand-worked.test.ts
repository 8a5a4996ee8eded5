// Calls of every kind, each worked out with a pencil, against all that says what they cost: balance, token, row, receipt, sums, proof of the books.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  balanceOf,
  channelType,
  consumptionRows,
  type Customer,
  startApp,
} from '#test'
import { expectSoundBooks } from '../../harness/books.ts'

/** What the upstream answers next. */
let next: { status?: number; body: object } | { events: object[] } | { bytes: number }
const upstream = createServer((incoming, response) => {
  incoming.resume().once('end', () => {
    if ('bytes' in next) {
      response.writeHead(200, { 'content-type': 'audio/mpeg' })
      response.end(Buffer.alloc(next.bytes, 1))
      return
    }
    if ('body' in next) {
      response.writeHead(next.status ?? 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(next.body))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of next.events) response.write(`data: ${JSON.stringify(event)}\n\n`)
    response.end('data: [DONE]\n\n')
  })
})

beforeAll(() => new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve)))
afterAll(() => upstream.close())

const options = {
  GroupRatio: { default: 1, vip: 0.7 },
  ModelRatio: {
    chat: 1.25,
    claude: 1.25,
    pic: 2.5,
    tiny: 0.0375,
    'tts-1': 7.5,
    free: 0,
    vector: 0.01,
  },
  CompletionRatio: { chat: 4, claude: 4, pic: 8, tiny: 4 },
  CacheRatio: { chat: 0.5, claude: 0.5 },
  CreateCacheRatio: { claude: 1.25 },
  AudioRatio: { chat: 16 },
  AudioCompletionRatio: { chat: 2 },
  ImageRatio: { pic: 2 },
  ModelPrice: { fixed: 0.012_345_678_9, gift: 0, 'dall-e-3': 0.04 },
  'tool_price_setting.prices': { web_search: 10 },
}

const used = { prompt_tokens: 1000, completion_tokens: 200 }
const said = (usage: object) => ({
  body: {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'chat',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
    usage,
  },
})
const chunk = (more: object) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'chat',
  ...more,
})
const streamed = (usage: object) => ({
  events: [
    chunk({
      choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi.' }, finish_reason: null }],
    }),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    chunk({ choices: [], usage }),
  ],
})
const claude = {
  body: {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content: [{ type: 'text', text: 'Hi.' }],
    stop_reason: 'end_turn',
    usage: {
      input_tokens: 100,
      cache_read_input_tokens: 1000,
      cache_creation_input_tokens: 500,
      cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 300 },
      output_tokens: 50,
    },
  },
}
const searched = {
  body: {
    id: 'r',
    object: 'response',
    status: 'completed',
    model: 'chat',
    output: [
      { id: 'w1', type: 'web_search_call', status: 'completed', action: { type: 'search' } },
      { id: 'w2', type: 'web_search_call', status: 'completed', action: { type: 'open_page' } },
      { id: 'w3', type: 'web_search_call', status: 'completed', action: { type: 'search' } },
      {
        id: 'm',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Hi.', annotations: [] }],
      },
    ],
    usage: { input_tokens: 1000, output_tokens: 200, total_tokens: 1200 },
  },
}
const pictures = (count: number, usage?: object) => ({
  body: {
    created: 1,
    data: Array.from({ length: count }, () => ({ b64_json: 'AAAA' })),
    ...(usage ? { usage } : {}),
  },
})
const messages = [{ role: 'user', content: 'Hello' }]
const heard = {
  ...used,
  prompt_tokens: 100,
  completion_tokens: 50,
  prompt_tokens_details: { audio_tokens: 60 },
  completion_tokens_details: { audio_tokens: 30 },
}

interface Case {
  what: string
  path?: string
  body?: object
  answer: typeof next
  /** In the group default, and in vip. */
  units: [number, number]
}

const cases: Case[] = [
  // (1000 + 200 × 4) × 1.25
  { what: 'a chat', answer: said(used), units: [2250, 1575] },
  // (600 + 400 × 0.5 + 800) × 1.25
  {
    what: 'a stream with cached tokens',
    body: { stream: true },
    answer: streamed({ ...used, prompt_tokens_details: { cached_tokens: 400 } }),
    units: [2000, 1400],
  },
  {
    what: 'a chat for an Anthropic client',
    path: '/v1/messages',
    body: { max_tokens: 9 },
    answer: said(used),
    units: [2250, 1575],
  },
  {
    what: 'a chat for a Google client',
    path: '/v1beta/models/chat:generateContent',
    body: { contents: [{ parts: [{ text: 'Hello' }] }] },
    answer: said(used),
    units: [2250, 1575],
  },
  // (100 + 1000 × 0.5 + 200 × 1.25 + 300 × 1.25 × 1.6 + 50 × 4) × 1.25 = 2062.5; × 0.7 = 1443.75
  {
    what: 'a cache that is read and written',
    path: '/v1/messages',
    body: { model: 'claude', max_tokens: 9 },
    answer: claude,
    units: [2063, 1444],
  },
  { what: 'the same, converted', body: { model: 'claude' }, answer: claude, units: [2063, 1444] },
  // 2250, and two searches at 0.01 dollars
  {
    what: 'searches, without the page that was opened',
    path: '/v1/responses',
    body: { input: 'Hello', tools: [{ type: 'web_search' }] },
    answer: searched,
    units: [12_250, 8575],
  },
  // (40 + 60 × 16 + 20 × 4 + 30 × 32) × 1.25
  { what: 'sound', answer: said(heard), units: [2550, 1785] },
  // 0.0123456789 × 500 000 = 6172.83945; × 0.7 = 4320.987615
  {
    what: 'a price of ten decimals',
    body: { model: 'fixed' },
    answer: said(used),
    units: [6173, 4321],
  },
  // (1 + 4) × 0.0375 = 0.1875: nothing above zero is free
  {
    what: 'less than a unit',
    body: { model: 'tiny' },
    answer: said({ prompt_tokens: 1, completion_tokens: 1 }),
    units: [1, 1],
  },
  { what: 'a price of 0', body: { model: 'gift' }, answer: said(used), units: [0, 0] },
  { what: 'a ratio of 0', body: { model: 'free' }, answer: said(used), units: [0, 0] },
  // 0.04 × 2 × 1.5 dollars
  {
    what: 'a long picture in hd',
    path: '/v1/images/generations',
    body: { model: 'dall-e-3', prompt: 'x', size: '1024x1792', quality: 'hd' },
    answer: pictures(1),
    units: [60_000, 42_000],
  },
  // three were asked for, two came
  {
    what: 'the pictures that came',
    path: '/v1/images/generations',
    body: { model: 'dall-e-3', prompt: 'x', n: 3 },
    answer: pictures(2),
    units: [40_000, 28_000],
  },
  // (40 + 60 × 2 + 1000 × 8) × 2.5
  {
    what: 'a picture by tokens',
    path: '/v1/images/generations',
    body: { model: 'pic', prompt: 'x' },
    answer: pictures(1, {
      input_tokens: 100,
      output_tokens: 1000,
      total_tokens: 1100,
      input_tokens_details: { text_tokens: 40, image_tokens: 60 },
    }),
    units: [20_400, 14_280],
  },
  // 1234 × 0.01 = 12.34; × 0.7 = 8.638
  {
    what: 'an embedding',
    path: '/v1/embeddings',
    body: { model: 'vector', input: 'Hello' },
    answer: {
      body: {
        object: 'list',
        data: [{ object: 'embedding', index: 0, embedding: [1] }],
        usage: { prompt_tokens: 1234, total_tokens: 1234 },
      },
    },
    units: [12, 9],
  },
  // 11 characters × 7.5 = 82.5; × 0.7 = 57.75
  {
    what: 'speech',
    path: '/v1/audio/speech',
    body: { model: 'tts-1', input: 'Hello world', voice: 'alloy' },
    answer: { bytes: 64 },
    units: [83, 58],
  },
]

describe('what a call costs', () => {
  let app: App
  const customers = new Map<string, Customer>()
  const start = 1_000_000

  beforeAll(async () => {
    app = await startApp({ isWithin: true })
    for (const [key, value] of Object.entries({
      ...options,
      UserUsableGroups: { default: 'All', vip: 'Some' },
    }))
      await app.root.put('/api/option/', { key, value: JSON.stringify(value) })
    const base = {
      base_url: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
      group: 'default,vip',
    }
    const models = 'chat,fixed,tiny,gift,free,dall-e-3,pic,vector,tts-1'
    await addChannel(app.root, { ...base, models })
    await addChannel(app.root, { ...base, models: 'claude', type: channelType.anthropic })
    for (const group of ['default', 'vip'])
      customers.set(group, await addCustomer(app.root, group, start, { group }))
  })
  afterAll(async () => {
    await app.close()
  })

  async function call(customer: Customer, { path = '/v1/chat/completions', body }: Partial<Case>) {
    const response = await fetch(app.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(path.includes('v1beta') ? body : { model: 'chat', messages, ...body }),
    })
    await response.arrayBuffer()
    return response.status
  }

  it.each(cases)('$what', async ({ path, body, answer, units }) => {
    next = answer
    for (const [at, group] of ['default', 'vip'].entries()) {
      const customer = customers.get(group) as Customer
      const before = await balanceOf(customer)
      expect(await call(customer, { ...(path ? { path } : {}), ...(body ? { body } : {}) })).toBe(
        200,
      )
      const [row] = await consumptionRows(app.root, group)
      const { receipt } = JSON.parse(row?.other ?? '{}') as {
        receipt: { total: number; lines: { amount: string }[] }
      }
      expect(row?.quota).toBe(units[at])
      expect(receipt.total).toBe(units[at])
      expect(before - (await balanceOf(customer))).toBe(units[at])
      const sum = receipt.lines.reduce((all, line) => all + Number(line.amount), 0)
      expect(Math.max(Math.round(sum), Math.min(1, Math.ceil(sum)))).toBe(units[at])
    }
  })

  it('is nothing where the upstream refuses', async () => {
    next = { status: 500, body: { error: { message: 'broken' } } }
    const customer = customers.get('default') as Customer
    const before = await balanceOf(customer)
    expect(await call(customer, {})).toBe(500)
    expect(await balanceOf(customer)).toBe(before)
  })

  it('adds up, wherever it is told', async () => {
    for (const [at, group] of ['default', 'vip'].entries()) {
      const customer = customers.get(group) as Customer
      const all = cases.reduce((sum, { units }) => sum + (units[at] ?? 0), 0)
      expect(await balanceOf(customer)).toBe(start - all)
      const [token] = await customer.client.get<{ used_quota: number }[]>('/api/token/')
      expect(token?.used_quota).toBe(all)
      const stat = await customer.client.get<{ quota: number }>('/api/log/self/stat?type=2')
      expect(stat.quota).toBe(all)
    }
    await expectSoundBooks(app)
  })
})
