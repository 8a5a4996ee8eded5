import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  consumptionRows,
  type Customer,
  type FakeUpstream,
  fakeUpstream,
  setPrice,
  startApp,
} from '#test'
import type { JsonObject } from '../../contract/json.ts'
import { codecs } from '../../dialects/index.ts'
import { withToolPriceNames } from './tool-price-names.ts'
import { noUsage } from '../../dialects/neutral/usage.ts'

interface Case {
  what: string
  model: string
  body: JsonObject
  calls?: Record<string, number>
  named?: Record<string, number>
}

const usage = { ...noUsage, input: 10, output: 5 }

describe('naming tools by their price', () => {
  it.each<Case>([
    {
      what: 'a search of a search model',
      model: 'gpt-4o-search-preview',
      body: {},
      named: { web_search_preview: 1 },
    },
    {
      what: 'its dated name and a size',
      model: 'gpt-4o-mini-search-preview-2025-03-11',
      body: { web_search_options: { search_context_size: 'high' } },
      named: { web_search_preview_high: 1 },
    },
    {
      what: 'searches of a Responses tool',
      model: 'gpt-5',
      body: { tools: [{ type: 'function' }, { type: 'web_search', search_context_size: 'low' }] },
      calls: { web_search: 3, file_search: 1 },
      named: { web_search_low: 3, file_search: 1 },
    },
    {
      what: 'the older form of the Responses tool',
      model: 'gpt-4.1',
      body: { tools: [{ type: 'web_search_preview_2025_03_11', search_context_size: 'low' }] },
      calls: { web_search: 1 },
      named: { web_search_preview_low: 1 },
    },
    {
      what: 'a search by an engine that has its own price',
      model: 'glm-5.3',
      body: { tools: [{ type: 'web_search', web_search: { search_engine: 'search_pro_sogou' } }] },
      calls: { web_search: 1 },
      named: { web_search_pro_sogou: 1 },
    },
    {
      what: 'a search by an engine that nobody knows',
      model: 'glm-5.3',
      body: { tools: [{ type: 'web_search', web_search: { search_engine: 'search_free' } }] },
      calls: { web_search: 1 },
      named: { web_search: 1 },
    },
    {
      what: 'the model that searches on every call',
      model: 'gpt-5-search-api-2025-10-14',
      body: {},
      named: { web_search: 1 },
    },
    {
      what: 'each search of Sonar, where it counts them',
      model: 'sonar-pro',
      body: { web_search_options: { search_context_size: 'medium' } },
      calls: { web_search: 4 },
      named: { web_search_medium: 4 },
    },
    {
      what: 'no search of Sonar, where it counts none',
      model: 'sonar',
      body: {},
      calls: { web_search: 0 },
      named: {},
    },
    {
      what: 'each search of a deep research',
      model: 'sonar-deep-research',
      body: {},
      calls: { web_search: 28 },
      named: { web_search: 28 },
    },
    {
      what: 'the memory of a container',
      model: 'gpt-5',
      body: {
        tools: [{ type: 'code_interpreter', container: { type: 'auto', memory_limit: '4g' } }],
      },
      calls: { code_interpreter: 1 },
      named: { code_interpreter_4g: 1 },
    },
    {
      what: 'the memory of a hosted shell',
      model: 'gpt-6-sol',
      body: {
        tools: [{ type: 'shell', environment: { type: 'container_auto', memory_limit: '16g' } }],
      },
      calls: { code_interpreter: 1 },
      named: { code_interpreter_16g: 1 },
    },
    {
      what: 'a container that was made before',
      model: 'gpt-5',
      body: { tools: [{ type: 'code_interpreter', container: 'cntr_1' }] },
      calls: { code_interpreter: 1 },
      named: { code_interpreter: 1 },
    },
    {
      what: 'a size that does not exist',
      model: 'gpt-5',
      body: { tools: [{ type: 'web_search', search_context_size: 'huge' }] },
      calls: { web_search: 1 },
      named: { web_search: 1 },
    },
    {
      what: 'a call without tools',
      model: 'gpt-5',
      body: { web_search_options: {} },
    },
  ])('knows $what', ({ model, body, calls, named }) => {
    const counted = calls ? { ...usage, toolCalls: calls } : usage
    expect(withToolPriceNames(counted, { operation: 'chat', body }, model).toolCalls).toEqual(named)
  })

  it.each([
    { quality: 'low', size: '1024x1024', named: 'image_generation_low' },
    { quality: 'high', size: '1536x1024', named: 'image_generation_high_wide' },
    { quality: 'auto', size: 'auto', named: 'image_generation' },
  ])('sells a picture of $quality and $size as $named', ({ quality, size, named }) => {
    const item = { type: 'image_generation_call', id: 'ig_1', status: 'completed', quality, size }
    const events = codecs['openai-responses'].parseAnswer({
      id: 'resp_1',
      status: 'completed',
      model: 'gpt-5',
      output: [{ ...item, result: 'AAAA' }],
      usage: { input_tokens: 1, output_tokens: 1 },
    })
    const reported = events.find((event) => event.type === 'usage')
    expect(reported).toMatchObject({ usage: { toolCalls: { [named]: 1 } } })
  })

  it.each([
    [
      'a container once',
      'code_interpreter_call',
      [{ container_id: 'c' }, { container_id: 'c' }, { container_id: 'd' }],
      { code_interpreter: 2 },
    ],
    ['runs without a container', 'code_interpreter_call', [{}, {}], { code_interpreter: 2 }],
    [
      'the container of a hosted shell, not what runs at the client',
      'shell_call',
      [
        { environment: { type: 'container_reference', container_id: 'c' } },
        { environment: { type: 'container_reference', container_id: 'c' } },
        { environment: { type: 'local' } },
        { environment: null },
      ],
      { code_interpreter: 1 },
    ],
    [
      'searches, not what is read of their pages',
      'web_search_call',
      [
        { action: { type: 'search' } },
        { action: { type: 'open_page' } },
        { action: { type: 'find_in_page' } },
        {},
      ],
      { web_search: 2 },
    ],
    ['searches on X', 'x_search_call', [{}], { x_search: 1 }],
  ])('counts %s', (_, type, items, toolCalls) => {
    const events = codecs['openai-responses'].parseAnswer({
      id: 'resp_1',
      status: 'completed',
      model: 'gpt-5',
      output: items.map((item, at) => ({ id: `i_${at}`, type, status: 'completed', ...item })),
      usage: { input_tokens: 1, output_tokens: 1 },
    })
    expect(events.find(({ type }) => type === 'usage')).toMatchObject({ usage: { toolCalls } })
  })

  it('counts no search where nothing was used', () => {
    const call = { operation: 'chat' as const, body: {} }
    expect(withToolPriceNames(noUsage, call, 'gpt-4o-search-preview')).toBe(noUsage)
  })
})

describe('charging for tools and names', () => {
  let app: App
  let upstream: FakeUpstream
  let customer: Customer

  beforeAll(async () => {
    upstream = await fakeUpstream()
    app = await startApp({ isWithin: true })
    await addChannel(app.root, {
      base_url: upstream.url,
      models: 'gpt-4o-search-preview,o1-high,o4-mini-high',
      model_mapping: '{"o4-mini-high":"o4-mini-high"}',
    })
    for (const model of ['gpt-4o-search-preview', 'o1', 'o4-mini'])
      await setPrice(app.root, model, 1)
    customer = await addCustomer(app.root, 'searcher', 1_000_000)
  })

  afterAll(async () => {
    await app.close()
    await upstream.close()
  })

  async function ask(model: string, more: object = {}) {
    const answer = await fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.key}` },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }], ...more }),
    })
    expect(answer.status).toBe(200)
    const [row] = await consumptionRows(app.root, customer.username)
    return { row, other: JSON.parse(row?.other ?? '{}') as Record<string, unknown> }
  }

  it('adds the search of a search model at the price of its size', async () => {
    const web_search_options = { search_context_size: 'high' }
    const { row, other } = await ask('gpt-4o-search-preview', { web_search_options })
    // 15 tokens, and a search at 25 USD per thousand, whatever its size.
    expect(row?.quota).toBe(15 + 12_500)
    expect(other).toMatchObject({
      web_search: true,
      web_search_call_count: 1,
      web_search_price: 25,
    })
  })

  it('reads an effort out of a name, and bills the name without it', async () => {
    const { row, other } = await ask('o1-high')
    expect(row).toMatchObject({ model_name: 'o1-high', quota: 15 })
    expect(other).toMatchObject({ reasoning_effort: 'high', upstream_model_name: 'o1' })
  })

  it('keeps a name that the channel maps to itself', async () => {
    const { other } = await ask('o4-mini-high')
    expect(other).not.toHaveProperty('reasoning_effort')
    expect(other).not.toHaveProperty('upstream_model_name')
  })
})
