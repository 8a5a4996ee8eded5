// Models whose prices rise with the length of the prompt: what each call costs, worked out by hand from the option.
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

/** What the upstream counts in its next answer. */
let usage: Record<string, unknown>
const upstream = createServer((incoming, response) => {
  incoming.resume().once('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const isAnthropic = incoming.url?.includes('messages') === true
    response.end(JSON.stringify({ ...(isAnthropic ? message : completion), usage }))
  })
})
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'stepped',
  content: [{ type: 'text', text: 'Hi.' }],
  stop_reason: 'end_turn',
}
const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'stepped',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
}
const turn = { messages: [{ role: 'user', content: 'Hello' }], max_tokens: 100 }

/** Ratio 0.05 and completion 5: per token 0.05 in, 0.25 out; above 100 000 five times as much. */
const options = {
  ModelRatio: '{"stepped":0.05,"stepped-openai":0.05}',
  CompletionRatio: '{"stepped*":5}',
  CacheRatio: '{"stepped*":0.1}',
  CreateCacheRatio: '{"stepped*":1.25}',
  PriceSteps: '{"stepped*":[{"above":100000,"input":5,"output":4}]}',
}

beforeAll(() => new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve)))
afterAll(() => upstream.close())

describe('a prompt above a step', () => {
  let app: App
  let customer: Customer

  beforeAll(async () => {
    app = await startApp({ isWithin: true })
    for (const [key, value] of Object.entries(options))
      await app.root.put('/api/option/', { key, value })
    const base_url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
    await addChannel(app.root, { base_url, models: 'stepped', type: channelType.anthropic })
    await addChannel(app.root, { base_url, models: 'stepped-openai' })
    customer = await addCustomer(app.root, 'ada', 1_000_000)
  })
  afterAll(async () => {
    await expectSoundBooks(app)
    await app.close()
  })

  async function charged(path: string, model: string, figures: Record<string, unknown>) {
    usage = figures
    const before = await balanceOf(customer)
    const response = await fetch(app.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${customer.key}`,
        'anthropic-version': '2023-06-01',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ model, ...turn }),
    })
    expect(response.status).toBe(200)
    const [row] = await consumptionRows(app.root, 'ada')
    expect(before - (await balanceOf(customer))).toBe(row?.quota)
    return { quota: row?.quota, other: JSON.parse(row?.other ?? '{}') as Record<string, unknown> }
  }

  it('costs the model’s own prices up to the step', async () => {
    const figures = { input_tokens: 100_000, output_tokens: 100 }
    const { quota, other } = await charged('/v1/messages', 'stepped', figures)
    expect(quota).toBe(100_000 * 0.05 + 100 * 0.25)
    expect(other).not.toHaveProperty('price_step')
  })

  it.each([
    ['/v1/messages', 'passed through'],
    ['/v1/chat/completions', 'converted'],
  ])('costs the multiple above it, with the cache: POST %s, %s', async (path) => {
    const figures = {
      input_tokens: 1_000,
      cache_read_input_tokens: 90_000,
      cache_creation_input_tokens: 10_000,
      output_tokens: 100,
    }
    const { quota, other } = await charged(path, 'stepped', figures)
    // 250 + 2250 + 3125 + 100, that is 1000 × 0.25, 90 000 × 0.025, 10 000 × 0.3125, 100 × 1.
    expect(quota).toBe(5_725)
    expect(other).toMatchObject({
      model_ratio: 0.05,
      price_step: { above: 100_000, input: 5, output: 4 },
      receipt: { total: 5_725 },
    })
  })

  it.each(['/v1/chat/completions', '/v1/messages'])(
    'of an OpenAI upstream: POST %s',
    async (path) => {
      const figures = {
        prompt_tokens: 200_000,
        completion_tokens: 100,
        prompt_tokens_details: { cached_tokens: 150_000 },
      }
      const { quota } = await charged(path, 'stepped-openai', figures)
      expect(quota).toBe(50_000 * 0.25 + 150_000 * 0.025 + 100)
    },
  )

  it('is listed with its price, step by step', async () => {
    const rows = await app.root.get<{ model_name: string }[]>('/api/pricing')
    expect(rows.find(({ model_name }) => model_name === 'stepped')).toMatchObject({
      price_steps: [{ above: 100_000, input: 5, output: 4 }],
    })
  })
})
