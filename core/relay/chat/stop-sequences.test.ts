// Stop sequences of clients of one dialect at models of another.
import { describe, expect, it } from 'vitest'
import { relayRoom, sendJson, writeEvents } from '#test'

const room = relayRoom({
  channels: [{ models: 'gpt-4o,gpt-5.4,o4-mini,gpt-5-codex' }],
  priced: ['gpt-4o', 'gpt-5.4', 'o4-mini', 'gpt-5-codex'],
  customer: 'stopper',
})

const usage = { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 }
const text = 'one two three four'

/** What the upstream is asked, and what its client reads. */
async function asked(path: string, body: Record<string, unknown>) {
  room.upstream.behave((response, { body: sent }) => {
    if (sent['stream'] !== true) {
      const message = { role: 'assistant', content: text }
      return sendJson(response, { choices: [{ index: 0, message, finish_reason: 'stop' }], usage })
    }
    const pieces = text.match(/.{1,3}/g) ?? []
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      id: 'c1',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason }],
    })
    const words = pieces.map((content) => chunk({ content }))
    const last = { id: 'c1', object: 'chat.completion.chunk', choices: [], usage }
    writeEvents(response, [...words, chunk({}, 'stop'), last, 'data: [DONE]\n\n'])
    response.end()
  })
  const answer = await room.post(path, body)
  expect(answer.status).toBe(200)
  return { answer: await answer.text(), sent: room.upstream.calls.at(-1)?.body ?? {} }
}

const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
const messages = [{ role: 'user', content: 'Hi' }]
const claude = (more: object) => ({ model: 'gpt-4o', max_tokens: 99, messages, ...more })

describe.each(['gpt-5.4', 'o4-mini'])('%s takes no stop sequence, so the gateway', (model) => {
  const body = claude({ model, stop_sequences: ['three'] })

  it('cuts the answer', async () => {
    const { answer, sent } = await asked('/v1/messages', body)
    expect(sent).not.toHaveProperty('stop')
    expect(JSON.parse(answer)).toMatchObject({
      content: [{ type: 'text', text: 'one two ' }],
      stop_reason: 'stop_sequence',
      stop_sequence: 'three',
    })
    expect(await room.lastRow()).toMatchObject({ completion_tokens: 5 })
  })

  it('cuts a stream', async () => {
    const { answer } = await asked('/v1/messages', { ...body, stream: true })
    const words = [...answer.matchAll(/"text_delta","text":"([^"]*)"/g)].map(([, word]) => word)
    expect(words.join('')).toBe('one two ')
    expect(answer).toContain('"stop_reason":"stop_sequence"')
  })

  it('names them as dropped where it cannot', async () => {
    const config = { stopSequences: ['three'], candidateCount: 2 }
    const path = `/v1beta/models/${model}:generateContent`
    const { sent } = await asked(path, { contents, generationConfig: config })
    expect(sent).not.toHaveProperty('stop')
    expect((await room.lastRow()).other).toContain('"stop"')
  })
})

it('a model that speaks Responses only, which has none, has its answers cut, too', async () => {
  const part = { type: 'output_text', text, annotations: [] }
  const output = [{ id: 'msg_1', type: 'message', role: 'assistant', content: [part] }]
  const counted = { input_tokens: 3, output_tokens: 5, total_tokens: 8 }
  room.upstream.behave((response) =>
    sendJson(response, { id: 'resp_1', status: 'completed', output, usage: counted }),
  )
  const body = { model: 'gpt-5-codex', messages, stop: 'three' }
  expect(await (await room.post('/v1/chat/completions', body)).json()).toMatchObject({
    choices: [{ message: { content: 'one two ' }, finish_reason: 'stop' }],
  })
})

it('a model that takes stop sequences cuts its answers itself', async () => {
  expect((await asked('/v1/messages', claude({ stop_sequences: ['three'] }))).sent).toMatchObject({
    stop: ['three'],
  })
})

describe('an empty list of stop sequences, as SDKs send it,', () => {
  it.each([
    [
      '/v1beta/models/gpt-4o:generateContent',
      { contents, generationConfig: { stopSequences: [] } },
    ],
    ['/v1/messages', claude({ stop_sequences: [] })],
  ])('is none for OpenAI, which would refuse it: %s', async (path, body) => {
    expect((await asked(path, body)).sent).not.toHaveProperty('stop')
  })
})
