// Pictures in results of tools. Gemini 2 answers them with 400: "`function_response.parts` is not supported for this model"
// (github.com/google-gemini/gemini-cli, issue 19436).
import { expect, it } from 'vitest'
import { codecs } from '../index.ts'

const inlineData = { mimeType: 'image/png', data: 'cGl4ZWw=' }

const source = { type: 'base64', media_type: 'image/png', data: 'cGl4ZWw=' }
const call = (id: string) => ({ type: 'tool_use', id, name: 'look', input: {} })
const result = (id: string, content: unknown) => ({ type: 'tool_result', tool_use_id: id, content })

const body = {
  model: 'm',
  max_tokens: 9,
  messages: [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: [call('a'), call('b')] },
    {
      role: 'user',
      content: [
        result('a', [
          { type: 'text', text: 'seen' },
          { type: 'image', source },
        ]),
        result('b', 'nothing'),
        { type: 'text', text: 'and?' },
      ],
    },
    { role: 'assistant', content: 'A picture.' },
    { role: 'user', content: 'which?' },
  ],
}

function contentsFor(upstreamModel: string): unknown {
  const request = codecs['anthropic-messages'].parseRequest(body, {})
  const target = { upstreamModel, dropped: [], option: () => undefined as never }
  return codecs.gemini.buildRequest(request, target)['contents']
}

it('follow the results in a content of their own before Gemini 3', () => {
  expect(contentsFor('gemini-2.5-flash')).toMatchObject([
    { role: 'user' },
    { role: 'model' },
    {
      role: 'user',
      parts: [
        { functionResponse: { response: { content: 'seen' } } },
        { functionResponse: { response: { content: 'nothing' } } },
        { text: 'and?' },
      ],
    },
    { role: 'user', parts: [{ inlineData }] },
    { role: 'model' },
    { role: 'user' },
  ])
  expect(JSON.stringify(contentsFor('gemini-2.5-flash'))).not.toContain(
    '"parts":[{"inlineData"}]}}',
  )
})

it('stand inside the result from Gemini 3 on', () => {
  expect(contentsFor('gemini-3-pro-preview')).toMatchObject([
    { role: 'user' },
    { role: 'model' },
    {
      role: 'user',
      parts: [
        { functionResponse: { response: { content: 'seen' }, parts: [{ inlineData }] } },
        { functionResponse: { response: { content: 'nothing' } } },
        { text: 'and?' },
      ],
    },
    { role: 'model' },
    { role: 'user' },
  ])
})
