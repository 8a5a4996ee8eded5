// A conversation that changed provider goes on at the one it came back to.
import { expect, it } from 'vitest'
import { relayRoom, sendJson } from '#test'

const room = relayRoom({
  channels: [
    { models: 'claude-sonnet-4-5', type: 14 },
    { models: 'gemini-3-pro-preview', type: 24 },
    { models: 'gpt-5' },
  ],
  priced: ['claude-sonnet-4-5', 'gemini-3-pro-preview', 'gpt-5'],
  customer: 'wanderer',
})

async function post(path: string, body: object): Promise<{ status: number; text: string }> {
  const response = await room.post(path, body)
  return { status: response.status, text: await response.text() }
}

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [{ type: 'text', text: 'Hello' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 1, output_tokens: 1 },
}
const claude = (signature: string) => ({
  model: 'claude-sonnet-4-5',
  max_tokens: 4096,
  thinking: { type: 'enabled', budget_tokens: 1024 },
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: [{ type: 'thinking', thinking: 'I think.', signature }] },
    { role: 'user', content: 'And?' },
  ],
})

it('leaves out the thoughts that we wrote, before they are refused', async () => {
  room.upstream.behave((response) => sendJson(response, message))
  const { status } = await post('/v1/messages', claude(''))
  expect(status).toBe(200)
  const sent = JSON.stringify(room.upstream.calls.at(-1)?.body)
  expect(sent).not.toContain('I think.')
  expect(sent).toContain('budget_tokens')
})

const refusals = [
  {
    path: '/v1/messages',
    body: claude('of another account'),
    answer: message,
    words: 'messages.1.content.0: Invalid `signature` in `thinking` block',
    sealed: /of another account/,
  },
  {
    path: '/v1/responses',
    body: {
      model: 'gpt-5',
      input: [
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'of another maker' },
        { role: 'user', content: 'Hi' },
      ],
    },
    answer: {
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      output: [
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
        },
      ],
      usage: { input_tokens: 1, output_tokens: 1 },
    },
    words: 'The encrypted content of another maker could not be verified.',
    sealed: /of another maker/,
  },
  {
    path: '/v1beta/models/gemini-3-pro-preview:generateContent',
    body: {
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ text: 'Well', thoughtSignature: 'of another maker' }] },
        { role: 'user', parts: [{ text: 'And?' }] },
      ],
    },
    answer: {
      candidates: [
        { content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP', index: 0 },
      ],
    },
    words: 'Thought signature is not valid.',
    sealed: /of another maker/,
  },
]

it.each(refusals)(
  'asks once more without thoughts whose seal was refused: $path',
  async (refusal) => {
    room.upstream.behave((response, { body }) => {
      if (!refusal.sealed.test(JSON.stringify(body))) return sendJson(response, refusal.answer)
      sendJson(response, { error: { message: refusal.words, type: 'invalid_request_error' } }, 400)
    })
    const before = room.upstream.calls.length
    const { status, text } = await post(refusal.path, refusal.body)
    expect({ status, text }).toMatchObject({ status: 200 })
    expect(text).toContain('Hello')
    expect(room.upstream.calls.length - before).toBe(2)
  },
)

it('asks no more than once, and not at all where no thought is', async () => {
  const words = 'Invalid `signature` in `thinking` block'
  room.upstream.behave((response) => sendJson(response, { error: { message: words } }, 400))
  const before = room.upstream.calls.length
  const plain = { ...claude('x'), messages: [{ role: 'user', content: 'Hi' }] }
  const { status, text } = await post('/v1/messages', plain)
  expect(status).toBe(400)
  expect(text).toContain('signature')
  expect(room.upstream.calls.length - before).toBe(1)
})
