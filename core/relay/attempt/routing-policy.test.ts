// Channels chosen by a plugin's routing policies: test/samples/answer-store.
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { RouteCandidate } from '#core'
import { relayRoom, sendJson } from '#test'

const samples = fileURLToPath(new URL('../../../test/samples', import.meta.url))
const models = 'routed-last,routed-weights,routed-nothing'

const room = relayRoom({
  env: { PLUGIN_DIRS: samples },
  plugins: ['answer-store'],
  channels: ['one', 'two', 'three'].map((name) => ({ models, name, key: `sk-${name}` })),
  priced: models.split(','),
  customer: 'routed',
})

const answer = {
  id: 'a',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
}

/** Whose keys were tried for each of some calls. */
async function tried(model: string, calls: number, failing: readonly string[] = []) {
  room.upstream.calls.length = 0
  room.upstream.behave((response, call) => {
    const isDown = failing.some((name) => call.headers['authorization'] === `Bearer sk-${name}`)
    if (isDown) sendJson(response, { error: { message: 'down' } }, 500)
    else sendJson(response, answer)
  })
  for (let count = 0; count < calls; count += 1)
    await room.post('/v1/chat/completions', {
      model,
      messages: [{ role: 'user', content: `Call ${count}` }],
    })
  return room.upstream.calls.map(({ headers }) => String(headers['authorization']).slice(10))
}

describe('a routing policy', () => {
  it('says which channel serves a call, and one before it that throws is passed over', async () => {
    expect(await tried('routed-last', 4)).toEqual(['three', 'three', 'three', 'three'])
    const { shown } = await room.app.root.get<{ shown: RouteCandidate[][] }>('/api/answer-store')
    expect(shown).toHaveLength(4)
    expect(shown[3]?.map(({ name, succeeded }) => [name, succeeded])).toEqual([
      ['one', 0],
      ['two', 0],
      ['three', 3],
    ])
    expect(shown[3]?.[2]).toMatchObject({ type: 1, firstByteMs: expect.any(Number), failed: 0 })
  })

  it('says which is tried after one that failed', async () => {
    await room.app.root.put('/api/option/', { key: 'RetryTimes', value: '2' })
    expect(await tried('routed-last', 1, ['three', 'two'])).toEqual(['three', 'two', 'one'])
  })

  it('may give weights in place of an order', async () => {
    expect(new Set(await tried('routed-weights', 8))).toEqual(new Set(['two']))
  })

  it('may leave it to the weights of the channels', async () => {
    expect(new Set(await tried('routed-nothing', 40)).size).toBeGreaterThan(1)
  })
})
