// Gemini answers a conversation that begins with the model with 400 ("Please ensure that function call turn comes immediately after a
// user turn or after a function response turn"); agents cut the beginnings of long ones.
import { expect, it } from 'vitest'
import { codecs } from '../index.ts'

const call = { id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }

it('keeps a turn of the user that says nothing between two of the model', () => {
  const messages = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 'Hello.' },
    { role: 'user', content: '' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c', content: 'seen' },
  ]
  const request = codecs['openai-chat'].parseRequest({ model: 'm', messages }, { model: 'm' })
  const target = {
    upstreamModel: 'gemini-2.5-flash',
    dropped: [],
    option: () => undefined as never,
  }
  const { contents } = codecs.gemini.buildRequest(request, target)
  expect((contents as { role: string }[]).map(({ role }) => role)).toEqual([
    'user',
    'model',
    'user',
    'model',
    'user',
  ])
})

it('puts a turn of the user before a conversation that begins with the model', () => {
  const messages = [
    { role: 'system', content: 'Look.' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c', content: 'seen' },
  ]
  const request = codecs['openai-chat'].parseRequest({ model: 'm', messages }, {})
  const target = {
    upstreamModel: 'gemini-2.5-flash',
    dropped: [],
    option: () => undefined as never,
  }
  expect(codecs.gemini.buildRequest(request, target)).toMatchObject({
    contents: [
      { role: 'user', parts: [{ text: '...' }] },
      { role: 'model', parts: [{ functionCall: { name: 'look' } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'look' } }] },
    ],
  })
})
