// Streams of every form that clients ask for: what they read, and what is charged for it.
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { GoogleGenAI } from '@google/genai'
import { describe, expect, it } from 'vitest'
import { relayRoom, sendJson, writeEvents } from '#test'

const room = relayRoom({
  channels: [
    { models: 'm' },
    { models: 'g', type: 24 },
    // Chat is all that this one speaks.
    { models: 'd', type: 43 },
    { models: 'c', type: 14 },
  ],
  priced: ['m', 'g', 'd', 'c'],
  customer: 'reader',
})

async function call(path: string, body: object): Promise<{ response: Response; text: string }> {
  const response = await room.post(path, body)
  return { response, text: await response.text() }
}

const chunk = (delta: object, finish: string | null = null, index = 0) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index, delta, finish_reason: finish }],
})
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
const usageChunk = { ...chunk({}), choices: [], usage }
const done = 'data: [DONE]\n\n'
const chat = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }] }

describe('a Gemini stream without alt=sse', () => {
  const contents = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }
  const piece = (text: string, more: object = {}) => ({
    candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...more }],
  })

  it.each(['g', 'm'])('is one JSON array, from an upstream of any dialect: %s', async (model) => {
    room.upstream.behave((response, { path }) => {
      const events = path.includes('Generate')
        ? [piece('Hel'), piece('lo', { finishReason: 'STOP' })]
        : [chunk({ content: 'Hel' }), chunk({ content: 'lo' }), chunk({}, 'stop'), usageChunk, done]
      writeEvents(response, events)
      response.end()
    })
    const { response, text } = await call(`/v1beta/models/${model}:streamGenerateContent`, contents)
    expect(response.headers.get('content-type')).toContain('application/json')
    const list = JSON.parse(text) as ReturnType<typeof piece>[]
    const texts = list.flatMap((entry) => entry.candidates[0]?.content.parts ?? [])
    expect(texts.map((part) => part.text).join('')).toBe('Hello')
    expect(list.at(-1)).toMatchObject({ candidates: [{ finishReason: 'STOP' }] })
  })

  it('is one JSON array also from an upstream that answers in one piece', async () => {
    room.upstream.behave((response) => sendJson(response, piece('Hello', { finishReason: 'STOP' })))
    const { text } = await call('/v1beta/models/g:streamGenerateContent', contents)
    expect(JSON.parse(text)).toMatchObject([{}, { candidates: [{ finishReason: 'STOP' }] }])
  })

  it('stays a stream of events for the SDK, which asks for one', async () => {
    room.upstream.behave((response) => {
      writeEvents(response, [piece('Hel'), piece('lo', { finishReason: 'STOP' })])
      response.end()
    })
    const client = new GoogleGenAI({
      apiKey: room.customer.key,
      httpOptions: { baseUrl: room.app.url },
    })
    let text = ''
    for await (const part of await client.models.generateContentStream({
      model: 'g',
      contents: 'Hi',
    }))
      text += part.text ?? ''
    expect(text).toBe('Hello')
  })
})

describe('a chat stream', () => {
  it('of two choices goes on when the first has ended', async () => {
    room.upstream.behave(async (response) => {
      writeEvents(response, [chunk({ content: 'A' }), chunk({}, 'stop')])
      writeEvents(response, [chunk({ content: 'B' }, null, 1)])
      // Longer than late usage is waited for.
      await new Promise((resolve) => setTimeout(resolve, 2_500))
      writeEvents(response, [
        chunk({ content: 'C' }, null, 1),
        chunk({}, 'stop', 1),
        usageChunk,
        done,
      ])
      response.end()
    })
    const { text } = await call('/v1/chat/completions', { ...chat, n: 2 })
    expect(text).toContain('"content":"C"')
    expect(text.match(/"finish_reason":"stop"/g)).toHaveLength(2)
    expect(await room.lastRow()).toMatchObject({ prompt_tokens: 10, completion_tokens: 5 })
  })

  it('of two choices tells the end of each, in other forms as well', async () => {
    const ends = [chunk({}, 'stop'), chunk({ content: 'Y' }, null, 1), chunk({}, 'length', 1)]
    room.upstream.behave((response) => {
      writeEvents(response, [
        chunk({ content: 'A' }),
        chunk({ content: 'X' }, null, 1),
        ...ends,
        done,
      ])
      response.end()
    })
    const { text } = await call('/v1beta/models/m:streamGenerateContent', {
      contents: [{ parts: [{ text: 'Hi' }] }],
      generationConfig: { candidateCount: 2 },
    })
    const list = JSON.parse(text) as { candidates: object[] }[]
    expect(list.at(-1)?.candidates).toMatchObject([
      { index: 0, finishReason: 'STOP' },
      { index: 1, finishReason: 'MAX_TOKENS' },
    ])
  })

  it('that ends without any output is a failure of the upstream', async () => {
    room.upstream.behave((response) => {
      writeEvents(response, [chunk({ role: 'assistant', content: '' }), done])
      response.end()
    })
    const { response } = await call('/v1/chat/completions', chat)
    expect(response.status).toBe(502)
  })
})

describe('a complete answer whose last event never came whole', () => {
  const cut = 'data: {"id":"c1","choices":[],"usage":{"prompt_tok'
  const input = { contents: [{ parts: [{ text: 'Hi' }] }] }
  const messages = chat.messages
  const forms = [
    [
      '/v1/chat/completions',
      { ...chat, model: 'd', stream_options: { include_usage: true } },
      done,
    ],
    ['/v1/responses', { model: 'd', input: 'Hi', stream: true }, 'event: response.completed'],
    [
      '/v1/messages',
      { model: 'd', max_tokens: 9, messages, stream: true },
      'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    ],
    ['/v1beta/models/d:streamGenerateContent?alt=sse', input, '"finishReason":"STOP"'],
  ] as const

  it.each([
    ['by our own time-out', () => undefined],
    ['by the upstream’s end', (response: ServerResponse) => void response.end()],
    [
      'by the upstream’s fall',
      (response: ServerResponse) => void response.socket?.resetAndDestroy(),
    ],
  ])('ends as its dialect has it when it was cut %s', async (_how, leave) => {
    room.upstream.behave((response) => {
      writeEvents(response, [chunk({ content: 'One two three' }), chunk({}, 'stop'), cut])
      setTimeout(() => leave(response), 100)
    })
    const texts = await Promise.all(forms.map(([path, body]) => call(path, body)))
    for (const [index, { text }] of texts.entries()) {
      expect(text).toContain(forms[index]?.[2])
      expect(text).not.toMatch(/event: error|"error":\{/)
    }
    expect(texts[0]?.text).toContain('"completion_tokens":3')
    expect(await room.lastRow()).toMatchObject({ completion_tokens: 3 })
  })
})

describe('a text that we end ourselves', () => {
  it('leaves an upstream that talks on after two seconds, and is charged for what came', async () => {
    let isLeft = false
    room.upstream.behave((response) => {
      const piece = (text: string) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text },
      })
      const head = {
        id: 'm',
        model: 'c',
        content: [],
        usage: { input_tokens: 7, output_tokens: 1 },
      }
      const named = (data: { type: string }) =>
        `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
      const block = { type: 'content_block_start', index: 0, content_block: { type: 'text' } }
      const begun = [{ type: 'message_start', message: head }, block]
      writeEvents(response, [...begun, piece('One two three\nfour')].map(named))
      const timer = setInterval(() => response.write(named(piece(' more'))), 50)
      response.on('close', () => {
        clearInterval(timer)
        isLeft = true
      })
    })
    const { text } = await call('/v1/chat/completions', { ...chat, model: 'c', stop: ['\n'] })
    expect(room.upstream.calls.at(-1)?.body).not.toHaveProperty('stop_sequences')
    expect(text).not.toMatch(/four|more/)
    expect(text).toContain('"finish_reason":"stop"')
    expect(text.endsWith(done)).toBe(true)
    await expect.poll(() => isLeft).toBe(true)
    expect(await room.lastRow()).toMatchObject({ prompt_tokens: 7, completion_tokens: 3 })
  })
})

describe('the legacy text form on an upstream that has it', () => {
  const piece = (text: string, finish: string | null = null) => ({
    id: 'cmpl-1',
    object: 'text_completion',
    created: 1,
    model: 'm',
    choices: [{ text, index: 0, logprobs: null, finish_reason: finish }],
  })
  const pieces = [piece('Hello'), piece(' world'), piece('', 'stop')]
  const prompt = { model: 'm', prompt: 'Hi', stream: true }

  it('asks for usage, charges it and hides it from a client that did not ask', async () => {
    room.upstream.behave((response, { body }) => {
      writeEvents(response, pieces)
      if (body['stream_options']) writeEvents(response, [{ ...piece(''), choices: [], usage }])
      writeEvents(response, [done])
      response.end()
    })
    const { text } = await call('/v1/completions', prompt)
    expect(text).not.toContain('usage')
    expect(text).toContain('"text":" world"')
    expect(text.endsWith(done)).toBe(true)
    expect(await room.lastRow()).toMatchObject({
      prompt_tokens: 10,
      completion_tokens: 5,
      quota: 15,
    })
    const asked = await call('/v1/completions', {
      ...prompt,
      stream_options: { include_usage: true },
    })
    expect(asked.text).toContain('"completion_tokens":5')
  })

  it('counts the text of an answer that tells no usage', async () => {
    room.upstream.behave((response) => sendJson(response, piece('One two three four', 'stop')))
    const { text } = await call('/v1/completions', { ...prompt, stream: false, stream_options: {} })
    expect(room.upstream.calls.at(-1)?.body).not.toHaveProperty('stream_options')
    expect(JSON.parse(text)).toMatchObject({ usage: { completion_tokens: 4 } })
    expect(await room.lastRow()).toMatchObject({ prompt_tokens: 1, completion_tokens: 4 })
  })

  it('keeps several answers apart where the upstream has chat only', async () => {
    const candidate = (text: string, index: number) => ({
      content: { role: 'model', parts: [{ text }] },
      finishReason: 'STOP',
      index,
    })
    room.upstream.behave((response) =>
      sendJson(response, { candidates: [candidate('A', 0), candidate('B', 1)] }),
    )
    const { text } = await call('/v1/completions', { model: 'g', prompt: 'Hi', n: 2 })
    expect(JSON.parse(text)).toMatchObject({
      choices: [
        { index: 0, text: 'A' },
        { index: 1, text: 'B' },
      ],
    })
  })

  it('ends with an error event when the upstream breaks off, and charges what came', async () => {
    room.upstream.behave((response) => {
      writeEvents(response, [piece('One two three')])
      response.end()
    })
    const { text } = await call('/v1/completions', prompt)
    expect(text).toContain('data: {"error":')
    expect(text).not.toContain('[DONE]')
    expect(await room.lastRow()).toMatchObject({ completion_tokens: 3 })
  })
})

it('ends with its connection where the client asks for that', async () => {
  room.upstream.behave((response) => {
    writeEvents(response, [chunk({ content: 'Hello' }), chunk({}, 'stop'), usageChunk, done])
    response.end()
  })
  const { hostname, port } = new URL(room.app.url)
  const socket = connect(Number(port), hostname)
  const body = JSON.stringify(chat)
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${room.customer.key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  const answer = await textOf(socket)
  expect(answer).toMatch(/^connection: close\r$/im)
  expect(answer).toContain('[DONE]')
})
