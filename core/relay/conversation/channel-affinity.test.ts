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

let app: App
let upstream: FakeUpstream
let customers = 0
const channels: number[] = []

// A name with a cache price, so that staying pays.
const model = 'gpt-4o-mini'
const long = 'A long system prompt that a provider would cache. '.repeat(200)

beforeAll(async () => {
  upstream = await fakeUpstream()
  app = await startApp({ isWithin: true })
  await setPrice(app.root, model, 1)
  for (let index = 0; index < 4; index += 1)
    channels.push(await addChannel(app.root, { base_url: upstream.url, models: model }))
})

afterAll(async () => {
  await app.close()
  await upstream.close()
})

function newCustomer(): Promise<Customer> {
  customers += 1
  return addCustomer(app.root, `regular${customers}`, 10_000_000)
}

async function talk({ key }: Customer, body: object, path = '/v1/chat/completions') {
  const answer = await fetch(app.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, max_tokens: 5, ...body }),
  })
  expect(answer.status).toBe(200)
  await answer.text()
}

async function channelsOf({ username }: Customer): Promise<Set<unknown>> {
  return new Set((await consumptionRows(app.root, username)).map((row) => row['channel']))
}

/** Twelve turns of one conversation; the chance that four equal channels give one by luck is one in four million. */
async function converse(customer: Customer, body: (turn: number) => object, path?: string) {
  for (let turn = 0; turn < 12; turn += 1) await talk(customer, body(turn), path)
  return channelsOf(customer)
}

const user = (content: string) => ({ role: 'user', content })
const turns = (turn: number) => [
  user('Hello'),
  ...Array.from({ length: turn }, (_, index) => user(`More ${index}`)),
]

describe('keeping a conversation on one channel', () => {
  it('follows the long beginning of a prompt', async () => {
    const messages = (turn: number) => [{ role: 'system', content: long }, ...turns(turn)]
    const used = await converse(await newCustomer(), (turn) => ({ messages: messages(turn) }))
    expect(used.size).toBe(1)
  })

  it('follows prompt_cache_key, however short the prompt', async () => {
    const body = (turn: number) => ({ prompt_cache_key: 'talk-1', messages: turns(turn) })
    expect((await converse(await newCustomer(), body)).size).toBe(1)
  })

  it('follows metadata.user_id of Anthropic clients', async () => {
    const body = (turn: number) => ({ metadata: { user_id: 'u_1' }, messages: turns(turn) })
    expect((await converse(await newCustomer(), body, '/v1/messages')).size).toBe(1)
  })

  it('spreads different conversations, and short prompts without a name', async () => {
    const named = (turn: number) => ({ prompt_cache_key: `talk-${turn}`, messages: turns(0) })
    expect((await converse(await newCustomer(), named)).size).toBeGreaterThan(1)
    const short = () => ({ messages: turns(0) })
    expect((await converse(await newCustomer(), short)).size).toBeGreaterThan(1)
  })

  it('chooses only among equal priorities', async () => {
    const customer = await newCustomer()
    const body = { prompt_cache_key: 'moving', messages: turns(0) }
    await talk(customer, body)
    const better = await addChannel(app.root, {
      base_url: upstream.url,
      models: model,
      priority: 5,
    })
    await talk(customer, body)
    expect(await channelsOf(customer)).toContain(better)
    await app.root.call('DELETE', `/api/channel/${better}`)
  })

  it('is off by an option', async () => {
    await app.root.put('/api/option/', { key: 'ChannelAffinityEnabled', value: 'false' })
    const body = () => ({ prompt_cache_key: 'talk-9', messages: turns(0) })
    expect((await converse(await newCustomer(), body)).size).toBeGreaterThan(1)
  })
})
