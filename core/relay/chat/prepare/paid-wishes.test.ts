// A client chooses the model; what costs the operator more than the model's price is his to allow.
import { beforeEach, describe, expect, it } from 'vitest'
import { relayRoom, sendJson } from '#test'
import type { JsonObject } from '../../../contract/json.ts'

const allowed = { setting: JSON.stringify({ allow_service_tier: true }) }

const room = relayRoom({
  channels: [
    { models: 'gpt-5.2' },
    { models: 'claude-opus-5', type: 14 },
    { models: 'gemini-3-pro', type: 24 },
    { models: 'gpt-5.4', ...allowed },
    { models: 'claude-opus-5-5', type: 14, ...allowed },
    { models: 'gemini-3.5-flash', type: 24, ...allowed },
  ],
  priced: [
    'gpt-5.2',
    'claude-opus-5',
    'gemini-3-pro',
    'gpt-5.4',
    'claude-opus-5-5',
    'gemini-3.5-flash',
  ],
  customer: 'hasty',
})

const advisor = { type: 'advisor_20260301', name: 'advisor', model: 'claude-mythos-5' }
const tool = { name: 'f', input_schema: { type: 'object' } }

interface Wish {
  field: string
  wish: JsonObject
  /** What goes on of it where the channel does not allow it. */
  left: JsonObject
  named: string[]
}

const claudeWishes: Wish[] = [
  { field: 'speed', wish: { speed: 'fast' }, left: {}, named: ['speed'] },
  {
    field: 'fallbacks',
    wish: { fallbacks: [{ model: 'claude-mythos-5' }] },
    left: {},
    named: ['fallbacks'],
  },
  {
    field: 'tools',
    wish: { tools: [tool, advisor] },
    left: { tools: [tool] },
    named: ['tools.advisor'],
  },
  { field: 'tools', wish: { tools: [advisor] }, left: {}, named: ['tools.advisor'] },
]

const geminiWishes: Wish[] = ['priority', 'SERVICE_TIER_PRIORITY', 'flex'].flatMap((tier) =>
  ['serviceTier', 'service_tier'].map((field) => ({
    field,
    wish: { [field]: tier },
    left: {},
    named: [field],
  })),
)

beforeEach(() => {
  room.upstream.calls.length = 0
  room.upstream.behave((response, { path }) => sendJson(response, answerTo(path)))
})

function answerTo(path: string): JsonObject {
  if (path.includes('/compact')) return { id: 'r', object: 'response.compaction', output: [] }
  if (path.startsWith('/v1beta'))
    return { candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }] }
  return { id: 'msg', type: 'message', content: [{ type: 'text', text: 'Hi' }] }
}

const claude = (model: string, wish: JsonObject) =>
  room.post('/v1/messages', { ...messages, model, ...wish })
const gemini = (model: string, wish: JsonObject) =>
  room.post(`/v1beta/models/${model}:generateContent`, { ...contents, ...wish })

const messages = { max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }
const contents = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }

async function named(): Promise<unknown> {
  const { other } = await room.lastRow()
  return (JSON.parse(other) as JsonObject)['dropped_params']
}

describe.each(claudeWishes)('$named of a Claude call', ({ field, wish, left, named: names }) => {
  it('stays behind and is named', async () => {
    expect((await claude('claude-opus-5', wish)).status).toBe(200)
    expect(room.upstream.calls[0]?.body[field]).toEqual(left[field])
    expect(await named()).toEqual(names)
  })

  it('goes on where the channel allows it', async () => {
    expect((await claude('claude-opus-5-5', wish)).status).toBe(200)
    expect(room.upstream.calls[0]?.body).toMatchObject(wish)
    expect(await named()).toBeUndefined()
  })
})

describe.each(geminiWishes)('$wish of a Gemini call', ({ field, wish, named: names }) => {
  it('stays behind and is named', async () => {
    expect((await gemini('gemini-3-pro', wish)).status).toBe(200)
    expect(room.upstream.calls[0]?.body).toEqual(contents)
    expect(await named()).toEqual(names)
  })

  it('goes on where the channel allows it', async () => {
    expect((await gemini('gemini-3.5-flash', wish)).status).toBe(200)
    expect(room.upstream.calls[0]?.body[field]).toBe(wish[field])
  })
})

describe('what costs what is usual', () => {
  it.each([
    { speed: 'standard' },
    { speed: null },
    { inference_geo: 'global' },
    { fallbacks: 'default' },
  ])('goes on to Claude as it came: %j', async (wish) => {
    expect((await claude('claude-opus-5', wish)).status).toBe(200)
    expect(room.upstream.calls[0]?.body).toEqual({ ...messages, model: 'claude-opus-5', ...wish })
  })

  it.each([{ serviceTier: 'standard' }, { serviceTier: 'SERVICE_TIER_UNSPECIFIED' }])(
    'goes on to Gemini as it came: %j',
    async (wish) => {
      expect((await gemini('gemini-3-pro', wish)).status).toBe(200)
      expect(room.upstream.calls[0]?.body).toEqual({ ...contents, ...wish })
    },
  )
})

describe('a region of the client’s choice', () => {
  it('is refused by name, since the answer may not come from elsewhere', async () => {
    const answer = await claude('claude-opus-5', { inference_geo: 'us' })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('inference_geo')
    expect(room.upstream.calls).toEqual([])
  })

  it('goes on where the channel allows it', async () => {
    expect((await claude('claude-opus-5-5', { inference_geo: 'us' })).status).toBe(200)
    expect(room.upstream.calls[0]?.body['inference_geo']).toBe('us')
  })
})

describe('the tier of a compaction', () => {
  it.each([
    ['gpt-5.2', undefined],
    ['gpt-5.4', 'priority'],
  ])('of %s goes on as %s', async (model, tier) => {
    const body = { model, input: 'Hi', service_tier: 'priority' }
    expect((await room.post('/v1/responses/compact', body)).status).toBe(200)
    expect(room.upstream.calls[0]?.body['service_tier']).toBe(tier)
  })
})
