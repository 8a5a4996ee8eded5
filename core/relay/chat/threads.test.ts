// A thread lets a client send its last turn only (platform.claude.com, message threads). Where nobody keeps the turns before it, the client must
// learn so in the words that make it send them again.
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { describe, expect, it } from 'vitest'
import { anthropicClient, relayRoom, sendJson } from '#test'

const room = relayRoom({
  channels: [
    { models: 'chat-model' },
    { models: 'message-model', type: 14 },
    { models: 'bedrock-model', type: 33, key: 'id|secret|us-east-1' },
  ],
  priced: ['chat-model', 'message-model', 'bedrock-model'],
  customer: 'threader',
})

const turn = { max_tokens: 9, messages: [{ role: 'user', content: 'Go on.' }] }
const thread = { type: 'continue', previous_message_id: 'msg_1' }

describe('a thread', () => {
  it.each(['chat-model', 'message-model', 'bedrock-model'])(
    'is refused by code for %s',
    async (model) => {
      room.upstream.calls.length = 0
      const answer = await room.post('/v1/messages', { model, ...turn, thread })
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({
        error: {
          type: 'invalid_request_error',
          details: { error_code: 'thread_unsupported_request' },
        },
      })
      expect(room.upstream.calls).toEqual([])
    },
  )

  it("is given up by the SDK's tool runner, which goes on with the whole conversation", async () => {
    room.upstream.behave((response, { body }) => {
      const isAnswered = JSON.stringify(body['messages']).includes('sunny')
      sendJson(response, chatAnswer(isAnswered ? { content: 'Sunny.' } : { tool_calls: [call] }))
    })
    const weather = betaTool({
      name: 'weather',
      description: 'Tells the weather.',
      inputSchema: { type: 'object', properties: {} },
      run: () => 'sunny',
    })
    const { beta } = anthropicClient(room.app.url, room.customer.key)
    const last = await beta.messages.toolRunner({
      model: 'chat-model',
      max_tokens: 99,
      messages: [{ role: 'user', content: 'How is the weather?' }],
      tools: [weather],
    })
    expect(last.content).toMatchObject([{ type: 'text', text: 'Sunny.' }])
  })
})

const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } }

function chatAnswer(message: object) {
  return {
    object: 'chat.completion',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', ...message } }],
    usage: { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 },
  }
}
