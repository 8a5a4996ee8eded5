// Servers on Windows begin what they send with a byte order mark, which clients of JSON need not bear (RFC 8259, 8.1).
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { relayRoom } from '#test'

const room = relayRoom({
  channels: [{ models: 'm' }, { models: 'c', type: 14 }],
  priced: ['m', 'c'],
  customer: 'marked',
})

const MARK = '\ufeff'
const messages = [{ role: 'user', content: 'Hi' }]
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
const choice = {
  index: 0,
  message: { role: 'assistant', content: 'Hello' },
  finish_reason: 'stop',
}

function sends(body: unknown, status = 200, type = 'application/json') {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  room.upstream.behave((response: ServerResponse) => {
    response.writeHead(status, { 'content-type': type })
    response.end(MARK + text)
  })
}

/** The answer as bytes: `json()` and `text()` would drop the mark. */
async function asked(path: string, body: object): Promise<{ status: number; text: string }> {
  const answer = await room.post(path, body)
  return { status: answer.status, text: Buffer.from(await answer.arrayBuffer()).toString() }
}

describe('an answer that begins with a byte order mark', () => {
  it('is read and charged, and reaches the client without it', async () => {
    sends({ choices: [choice], usage })
    const { text } = await asked('/v1/chat/completions', { model: 'm', messages })
    expect(JSON.parse(text)).toMatchObject({ choices: [choice] })
    expect(await room.lastRow()).toMatchObject({ prompt_tokens: 3, completion_tokens: 2 })
  })

  it('is converted', async () => {
    sends({ choices: [choice], usage })
    const { text } = await asked('/v1/messages', { model: 'm', max_tokens: 9, messages })
    expect(JSON.parse(text)).toMatchObject({ content: [{ type: 'text', text: 'Hello' }] })
  })

  it('is read where it is no chat', async () => {
    const data = [{ object: 'embedding', index: 0, embedding: [0.5] }]
    sends({ object: 'list', data, model: 'm', usage: { prompt_tokens: 4, total_tokens: 4 } })
    const { text } = await asked('/v1/embeddings', { model: 'm', input: 'Hi' })
    expect(JSON.parse(text)).toMatchObject({ data })
    expect(await room.lastRow()).toMatchObject({ prompt_tokens: 4 })
  })

  it('is read where it is a count', async () => {
    sends({ input_tokens: 31 })
    const { text } = await asked('/v1/messages/count_tokens', { model: 'c', messages })
    expect(JSON.parse(text)).toEqual({ input_tokens: 31 })
  })

  it('is read where it is an error', async () => {
    sends({ error: { message: 'temperature is odd', param: 'temperature' } }, 400)
    const { status, text } = await asked('/v1/chat/completions', { model: 'm', messages })
    expect(status).toBe(400)
    expect(JSON.parse(text)).toMatchObject({ error: { param: 'temperature' } })
  })

  it.each(['/v1/chat/completions', '/v1/messages'])('is read as a stream: %s', async (path) => {
    const chunk = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm' }
    const delta = { role: 'assistant', content: 'Hello' }
    const events = [
      { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { ...chunk, choices: [], usage },
    ]
    const lines = [...events.map((event) => JSON.stringify(event)), '[DONE]']
    sends(lines.map((line) => `data: ${line}\n\n`).join(''), 200, 'text/event-stream')
    const { text } = await asked(path, { model: 'm', max_tokens: 9, stream: true, messages })
    expect(text.startsWith(MARK)).toBe(false)
    expect(text).toContain('Hello')
    expect(await room.lastRow()).toMatchObject({ prompt_tokens: 3, completion_tokens: 2 })
  })

  it('is read where it lists models, or tests a channel', async () => {
    sends({ object: 'list', data: [{ id: 'm' }, { id: 'n' }] })
    const list = await room.app.root.get('/api/channel/fetch_models/1')
    expect(list).toEqual(['m', 'n'])
    sends({ choices: [choice], usage })
    expect(await room.app.root.call('GET', '/api/channel/test/1?model=m')).toMatchObject({
      success: true,
    })
  })
})
