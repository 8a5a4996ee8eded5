// Large bodies are bounded for as long as they are in memory: until their answer has ended, and the upstream was read on for those who left.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  type Customer,
  scriptedUpstream,
  type ScriptedUpstream,
  sendJson,
  setPrice,
  startApp,
} from '#test'

const model = 'reads-much'
const answer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model,
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
}

let app: App
let upstream: ScriptedUpstream
let customer: Customer
let another: Customer
/** Of the calls that the upstream has in hand. */
const held: (() => void)[] = []
let isHolding = true

beforeAll(async () => {
  upstream = await scriptedUpstream()
  upstream.behave((response) => {
    const send = () => sendJson(response, answer)
    if (isHolding) held.push(send)
    else send()
  })
  app = await startApp({ isWithin: true, env: { MAX_REQUEST_BODY_MB: '4', OPEN_BODIES_MB: '4' } })
  await setPrice(app.root, model, 0.0001)
  await addChannel(app.root, { base_url: upstream.url, models: model })
  customer = await addCustomer(app.root, 'reader', 1_000_000_000)
  another = await addCustomer(app.root, 'another', 1_000_000_000)
})

afterAll(async () => {
  await app.close()
  await upstream.close()
})

function call(bytes: number, signal?: AbortSignal, { key } = customer): Promise<number> {
  return fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'a '.repeat(bytes / 2) }] }),
    ...(signal ? { signal } : {}),
  }).then(async (response) => {
    await response.text()
    return response.status
  })
}

const large = 3 * 1_048_576
const inHand = (count: number) => expect.poll(() => held).toHaveLength(count)
const answerAll = () => {
  for (const send of held.splice(0)) send()
}

describe('large bodies of open calls', () => {
  it('take their place until the answer has ended; small ones need none', async () => {
    const first = call(large)
    await inHand(1)
    expect(await call(large)).toBe(429)
    const small = call(1_000)
    await inHand(2)
    answerAll()
    expect(await Promise.all([first, small])).toEqual([200, 200])
    const next = call(large)
    await inHand(1)
    answerAll()
    expect(await next).toBe(200)
  })

  it('of one customer leave as much free as they take', async () => {
    const first = call(1.5 * 1_048_576)
    await inHand(1)
    expect(await call(1.2 * 1_048_576)).toBe(429)
    const others = call(1.2 * 1_048_576, undefined, another)
    await inHand(2)
    answerAll()
    expect(await Promise.all([first, others])).toEqual([200, 200])
  })

  it('keep it while the upstream is read on for a client that has left', async () => {
    const leaving = new AbortController()
    const left = call(large, leaving.signal)
    await inHand(1)
    leaving.abort()
    await expect(left).rejects.toThrow()
    expect(await call(large)).toBe(429)
    answerAll()
    isHolding = false
    await expect.poll(() => call(large)).toBe(200)
  })
})
