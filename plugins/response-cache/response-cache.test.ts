// Through a whole gateway: who gets which answer again, what it costs, and what admins see and do.
import { beforeEach, describe, expect, it } from 'vitest'
import { addCustomer, relayRoom } from '#test'
import { echo } from '../../test/harness/upstreams/echo-upstream.ts'
import type { CacheFigures } from './schema.ts'

const room = relayRoom({
  plugins: ['response-cache'],
  channels: [{ models: 'm-chat,m-other' }],
  priced: ['m-chat', 'm-other'],
  customer: 'repeater',
})

const set = (key: string, value: string) => room.app.root.put('/api/option/', { key, value })
const figures = () => room.app.root.get<CacheFigures>('/api/response-cache/')
const today = async () => (await figures()).days[0] ?? { hits: 0, misses: 0, saved: 0 }

let number = 0
const ask = (content: string, more: object = {}, headers: Record<string, string> = {}) =>
  room.post(
    '/v1/chat/completions',
    { model: 'm-chat', temperature: 0, messages: [{ role: 'user', content }], ...more },
    headers,
  )

/** Asks something new and waits until the answer is kept. */
async function asked(more: object = {}): Promise<string> {
  const question = `Question ${(number += 1)}`
  const { entries } = await figures()
  await (await ask(question, more)).text()
  await expect.poll(async () => (await figures()).entries).toBe(entries + 1)
  return question
}

const isHit = async (...call: Parameters<typeof ask>) => {
  const response = await ask(...call)
  await response.text()
  return response.headers.get('x-response-cache') === 'hit'
}

beforeEach(async () => {
  room.upstream.behave(echo({ isPlain: true }))
  for (const [key, value] of [
    ['ResponseCacheCalls', 'deterministic'],
    ['ResponseCacheScope', 'user'],
    ['ResponseCachePricePercent', '10'],
    ['ResponseCacheModels', ''],
    ['ResponseCacheGroups', ''],
  ] as const)
    await set(key, value)
})

describe('an answer that is kept', () => {
  it.each([
    ['without thoughts to a client of Claude that asked for none', {}, ['text', 'tool_use']],
    [
      'with them to one that asked',
      { thinking: { type: 'adaptive' } },
      ['thinking', 'text', 'tool_use'],
    ],
  ])('is given again %s', async (_what, more, kinds) => {
    room.upstream.behave(echo())
    const content = `Question ${(number += 1)}`
    const messages = [{ role: 'user', content }]
    const call = { model: 'm-chat', max_tokens: 2000, temperature: 0, messages, ...more }
    const { entries } = await figures()
    const kindsOf = async (): Promise<[string | null, string[]]> => {
      const response = await room.post('/v1/messages', call)
      const answer = (await response.json()) as { content: { type: string }[] }
      return [response.headers.get('x-response-cache'), answer.content.map(({ type }) => type)]
    }
    expect((await kindsOf())[1]).toEqual(kinds)
    await expect.poll(async () => (await figures()).entries).toBe(entries + 1)
    expect(await kindsOf()).toEqual(['hit', kinds])
  })

  it('is given again, whole and streamed, for its share of the price', async () => {
    const question = await asked()
    const before = await today()
    expect(await isHit(question)).toBe(true)
    expect(await room.lastRow()).toMatchObject({ quota: 10 })
    const streamed = await ask(question, { stream: true })
    expect(streamed.headers.get('x-response-cache')).toBe('hit')
    expect(await streamed.text()).toMatch(/\[DONE\]/)
    const after = await today()
    expect(after).toMatchObject({
      hits: before.hits + 2,
      misses: before.misses,
      saved: before.saved + 180,
    })
    await set('ResponseCachePricePercent', '0')
    expect(await isHit(question)).toBe(true)
    expect(await room.lastRow()).toMatchObject({ quota: 0 })
  })

  it('is given to nobody else', async () => {
    const question = await asked()
    const other = await addCustomer(room.app.root, `other-${number}`, 1_000_000)
    expect(await isHit(question, {}, { authorization: `Bearer ${other.key}` })).toBe(false)
    await set('ResponseCacheScope', 'token')
    expect(await isHit(question)).toBe(false)
  })

  it('is gone when an admin clears the cache', async () => {
    const question = await asked()
    await room.app.root.post('/api/response-cache/clear', {})
    expect(await figures()).toMatchObject({ entries: 0, bytes: 0 })
    expect(await isHit(question)).toBe(false)
  })

  it('stays when another plugin is switched', async () => {
    const question = await asked()
    await room.app.root.put('/api/plugin/', { id: 'chat-links', enabled: false })
    expect(await isHit(question)).toBe(true)
  })
})

describe('what is kept', () => {
  it('is of calls at temperature 0, unless all are wanted', async () => {
    const warm = { temperature: 0.7 }
    const { entries } = await figures()
    await (await ask('warm', warm)).text()
    expect(await isHit('warm', warm)).toBe(false)
    expect(await figures()).toMatchObject({ entries })
    await set('ResponseCacheCalls', 'all')
    expect(await isHit(await asked(warm), warm)).toBe(true)
  })

  it.each(['generationConfig', 'generation_config'])(
    'is of calls of Gemini clients at temperature 0 by %s',
    async (name) => {
      const said = async () => {
        const contents = [{ role: 'user', parts: [{ text: `By ${name}` }] }]
        const body = { contents, [name]: { temperature: 0 } }
        const response = await room.post('/v1beta/models/m-chat:generateContent', body)
        await response.text()
        return response.headers.get('x-response-cache')
      }
      expect(await said()).toBe('miss')
      await expect.poll(said).toBe('hit')
    },
  )

  it('is of the models and groups that are named', async () => {
    await set('ResponseCacheModels', 'm-o*')
    const before = await today()
    expect(await isHit('unnamed')).toBe(false)
    expect((await today()).misses).toBe(before.misses)
    expect(await isHit(await asked({ model: 'm-other' }), { model: 'm-other' })).toBe(true)
    await set('ResponseCacheGroups', 'vip')
    expect(await isHit('unnamed', { model: 'm-other' })).toBe(false)
    expect((await today()).misses).toBe(before.misses + 1)
  })
})

describe('the routes of the response cache', () => {
  it('are for admins', async () => {
    const { client } = room.customer
    expect((await client.call('GET', '/api/response-cache/')).success).toBe(false)
    expect((await client.call('POST', '/api/response-cache/clear', {})).success).toBe(false)
  })
})
