// A prompt that is nothing but instructions is one at OpenAI's chat, and a refused request where a turn or an item is required
// (for Responses github.com/pydantic/pydantic-ai, pull request 3470).
import { expect, it } from 'vitest'
import { codecs } from './index.ts'

it.each([
  ['anthropic-messages', { messages: [{ role: 'user', content: [{ text: '...' }] }] }],
  ['gemini', { contents: [{ role: 'user', parts: [{ text: '...' }] }] }],
  ['openai-responses', { input: [{ role: 'developer', content: [{ type: 'input_text' }] }] }],
] as const)('%s gets a turn beside them', (dialect, turn) => {
  const messages = [{ role: 'system', content: 'Name a colour.' }]
  const request = codecs['openai-chat'].parseRequest({ model: 'm', messages }, {})
  const target = { upstreamModel: 'm', dropped: [], option: () => undefined as never }
  const body = codecs[dialect].buildRequest(request, target)
  expect(body).toMatchObject(turn)
  expect(JSON.stringify(body).split('Name a colour.')).toHaveLength(2)
})
