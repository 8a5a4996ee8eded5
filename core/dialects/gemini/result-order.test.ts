// Calls to Gemini carry no ids, so it tells two results of one function apart by their places. Programs that run calls at
// the same time, such as Claude Code, send the results as they come.
import { expect, it } from 'vitest'
import type { ChatDialect } from '../../contract/dialect.ts'
import type { JsonObject } from '../../contract/json.ts'
import { codecs } from '../index.ts'

const use = (id: string) => ({ type: 'tool_use', id, name: 'look', input: { at: id } })
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: `seen at ${id}` })
const call = (id: string) => ({
  id,
  type: 'function',
  function: { name: 'look', arguments: `{"at":"${id}"}` },
})
const answer = (id: string) => ({ role: 'tool', tool_call_id: id, content: `seen at ${id}` })

const claude = {
  messages: [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: [use('a'), use('b'), use('c')] },
    { role: 'user', content: [result('c'), result('a'), result('b'), { type: 'text', text: '?' }] },
  ],
}
const openai = {
  messages: [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: null, tool_calls: ['a', 'b', 'c'].map(call) },
    ...['b', 'c', 'a'].map(answer),
    { role: 'user', content: '?' },
  ],
}
const placed = (id: string) => ({
  functionResponse: { name: 'look', response: { content: `seen at ${id}` } },
})

it.each<[ChatDialect, JsonObject]>([
  ['anthropic-messages', claude],
  ['openai-chat', openai],
])('gets the results in the order of the calls: %s', (dialect, body) => {
  const request = codecs[dialect].parseRequest(body, { model: 'm' })
  const target = {
    upstreamModel: 'gemini-2.5-flash',
    dropped: [],
    option: () => undefined as never,
  }
  const { contents } = codecs.gemini.buildRequest(request, target)
  expect((contents as JsonObject[])[2]).toEqual({
    role: 'user',
    parts: [placed('a'), placed('b'), placed('c'), { text: '?' }],
  })
})

it('keeps results of one id that several turns use with their own turn', () => {
  const again = [
    ...claude.messages,
    { role: 'assistant', content: [use('b'), use('a')] },
    { role: 'user', content: [result('a'), result('b')] },
  ]
  const request = codecs['anthropic-messages'].parseRequest({ messages: again }, { model: 'm' })
  const target = {
    upstreamModel: 'gemini-2.5-flash',
    dropped: [],
    option: () => undefined as never,
  }
  const { contents } = codecs.gemini.buildRequest(request, target)
  const parts = (contents as JsonObject[]).map((content) => content.parts)
  expect(parts.slice(2, 5)).toMatchObject([
    [placed('a'), placed('b'), placed('c'), { text: '?' }],
    [{ functionCall: { args: { at: 'b' } } }, { functionCall: { args: { at: 'a' } } }],
    [placed('b'), placed('a')],
  ])
})
