// Agents that hand over to another, and programs that let an answer go on, send a conversation that ends with the model.
// OpenAI says more. Claude goes on with that text, but not while it thinks within a budget, and from 4.6 on it refuses:
// "This model does not support assistant message prefill. The conversation must end with a user message."
import { expect, it } from 'vitest'
import type { JsonObject } from '../../contract/json.ts'
import { codecs } from '../index.ts'

const messages = [
  { role: 'user', content: 'Count.' },
  { role: 'assistant', content: 'One, two, ' },
]

function built(
  upstreamModel: string,
  more: JsonObject = {},
): { body: JsonObject; dropped: string[] } {
  const request = codecs['openai-chat'].parseRequest({ model: 'm', messages, ...more }, {})
  const dropped: string[] = []
  const target = { upstreamModel, dropped, option: () => undefined as never }
  return { body: codecs['anthropic-messages'].buildRequest(request, target), dropped }
}

it.each(['claude-opus-4-6', 'claude-sonnet-5', 'us.anthropic.claude-opus-4-7-v1:0', 'house-model'])(
  'is followed by a request to go on: %s',
  (model) => {
    expect(built(model).body.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ text: 'One, two, ' }] },
      { role: 'user', content: [{ type: 'text', text: 'Please go on.' }] },
    ])
    expect(built(model, { reasoning_effort: 'low' })).toMatchObject({
      body: { thinking: { type: 'adaptive' } },
      dropped: [],
    })
  },
)

it.each(['claude-sonnet-4-5', 'claude-haiku-4-5', 'claude-3-7-sonnet-20250219'])(
  'stays the last where the model goes on with it, without thoughts: %s',
  (model) => {
    const { body, dropped } = built(model, { reasoning_effort: 'low' })
    expect(body.messages).toMatchObject([{ role: 'user' }, { role: 'assistant' }])
    expect(body.thinking).toBeUndefined()
    expect(dropped).toEqual(['reasoning'])
  },
)
