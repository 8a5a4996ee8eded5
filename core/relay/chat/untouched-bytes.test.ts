// What of an answer needs no change goes on as the bytes that came.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { relayRoom } from '#test'

const room = relayRoom({ channels: [{ models: 'm' }], priced: ['m'], customer: 'reader' })

const event = (choices: unknown[], more: object = {}) => {
  const head = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm' }
  return `data: ${JSON.stringify({ ...head, choices, ...more })}\n\n`
}
const piece = (content: string) => event([{ index: 0, delta: { content }, finish_reason: null }])
const begin = event([{ index: 0, delta: { role: 'assistant' }, finish_reason: null }])
const usage = { prompt_tokens: 10, completion_tokens: 400, total_tokens: 410 }
const end = [
  event([{ index: 0, delta: {}, finish_reason: 'stop' }]),
  event([], { usage }),
  'data: [DONE]\n\n',
].join('')

/** What the client reads of an upstream that writes these bytes. */
async function through(bytes: Buffer, size: number): Promise<Buffer> {
  room.upstream.behave(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let at = 0; at < bytes.length; at += size) {
      response.write(bytes.subarray(at, at + size))
      await nextTurn()
    }
    response.end()
  })
  const response = await room.post('/v1/chat/completions', {
    model: 'm',
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: 'user', content: 'Hi' }],
  })
  return Buffer.from(await response.arrayBuffer())
}

describe('an event stream of the client’s own dialect', () => {
  const words = ['Hel', 'lo', ' you', '你好', ' there', '😀', ' é', '"q"', 'x'.repeat(3_000), '.']
  const ascii = words.filter((word) => Buffer.byteLength(word) === word.length)

  it.each([1_000_000, 1_500, 211, 64, 7])(
    'reaches the client whole, cut after %i bytes',
    async (size) => {
      for (const texts of [words, ascii]) {
        const stream = begin + texts.map(piece).join('') + end
        expect((await through(Buffer.from(stream), size)).toString()).toBe(stream)
      }
      expect(await room.lastRow()).toMatchObject({ prompt_tokens: 10, completion_tokens: 400 })
    },
  )

  it('loses its byte order mark, and bytes that are no text', async () => {
    const broken = Buffer.from(piece('broken: ?'))
    broken[broken.indexOf('?')] = 0xff
    const bytes = Buffer.concat([
      Buffer.from([0xef, 0xbb, 0xbf]),
      Buffer.from(begin + piece('Hel') + piece('lo')),
      broken,
      Buffer.from(end),
    ])
    const expected = begin + piece('Hel') + piece('lo') + piece('broken: \ufffd') + end
    for (const size of [1_000_000, Buffer.byteLength(begin + piece('Hel')) + 3])
      expect(await through(bytes, size)).toEqual(Buffer.from(expected))
  })
})

describe('a whole answer of the client’s own dialect', () => {
  const usage = `"usage": {"prompt_tokens": 10,  "completion_tokens": 4, "total_tokens": 14}`
  const end = (choice: string) =>
    `{ "id": "c1", "object": "chat.completion", "created": 1, "model": "m", "x_own": 1.50, "choices": [{"index": 0, ${choice}, "finish_reason": "stop"}], ${usage} }`

  it.each([
    {
      path: '/v1/chat/completions',
      asked: { messages: [{ role: 'user', content: 'Hi' }] },
      answer: end(`"message": {"role": "assistant", "content": "a c\\u0061t"}`),
    },
    { path: '/v1/completions', asked: { prompt: 'Hi' }, answer: end(`"text": "a c\\u0061t"`) },
  ])('reaches the client byte for byte: $path', async ({ path, asked, answer }) => {
    room.upstream.behave((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(answer)
    })
    const response = await room.post(path, { model: 'm', ...asked })
    expect(await response.text()).toBe(answer)
    expect(await room.lastRow()).toMatchObject({ prompt_tokens: 10, completion_tokens: 4 })
  })
})
