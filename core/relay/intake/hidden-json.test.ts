// JSON inside the texts of a body is read by conversions: what it holds counts as what the body itself holds.
import { beforeEach, describe, expect, it } from 'vitest'
import { relayRoom, sendJson } from '#test'

const room = relayRoom({
  channels: [{ models: 'm' }, { models: 'c', type: 14 }, { models: 'g', type: 24 }],
  priced: ['m', 'c', 'g'],
  customer: 'hider',
})
const answer = { choices: [{ index: 0, message: { content: 'Hello' }, finish_reason: 'stop' }] }
const usage = { prompt_tokens: 3, completion_tokens: 1 }

beforeEach(() => {
  room.upstream.calls.length = 0
  room.upstream.behave((response) => sendJson(response, { ...answer, usage }))
})

const bomb = `[${'[],'.repeat(300_000)}1]`
const flat = (text: string) => JSON.stringify({ a: text })

function chatWith(model: string, text: string) {
  const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: text } }
  return {
    model,
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: text },
    ],
  }
}

describe('JSON in the texts of a call', () => {
  it.each(['m', 'c', 'g'])('may not hold more than a body may (%s)', async (model) => {
    const response = await room.post('/v1/chat/completions', chatWith(model, bomb))
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('JSON in the texts of the body')
    expect(room.upstream.calls).toHaveLength(0)
  })

  it('is counted in other forms of a call, too', async () => {
    const item = { type: 'function_call', call_id: 'c1', name: 'f', arguments: bomb }
    const output = { type: 'function_call_output', call_id: 'c1', output: bomb }
    const input = [{ role: 'user', content: 'Hi' }, item, output]
    expect((await room.post('/v1/responses', { model: 'c', input })).status).toBe(400)
    expect((await room.post('/v1/responses/input_tokens', { model: 'c', input })).status).toBe(400)
  })

  it('is counted together with what a conversation has said before', async () => {
    const content = [{ type: 'text', text: 'Hello' }]
    const used = { input_tokens: 3, output_tokens: 1 }
    const told = { type: 'message', role: 'assistant', content, stop_reason: 'end_turn' }
    room.upstream.behave((response) => sendJson(response, { ...told, usage: used }))
    const head = { model: 'c', store: true }
    const said = { role: 'user', content: bomb }
    const first = await room.post('/v1/responses', { ...head, input: [said] })
    expect(first.status).toBe(200)
    const { id } = (await first.json()) as { id: string }
    const next = { ...head, previous_response_id: id, input: [said] }
    expect((await room.post('/v1/responses', next)).status).toBe(400)
  })

  it('may be long, and may be of lists that only an embedding holds', async () => {
    const long = flat(JSON.stringify('word '.repeat(100_000)))
    expect((await room.post('/v1/chat/completions', chatWith('m', long))).status).toBe(200)
    room.upstream.behave((response) =>
      sendJson(response, { data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: 5 } }),
    )
    const input = [bomb, bomb]
    expect((await room.post('/v1/embeddings', { model: 'm', input })).status).toBe(200)
  })
})
