// Several servers count their calls from 0 in every answer (`call_0`), so a conversation names one id for calls of different functions.
// Anthropic refuses that ("`tool_use` ids must be unique"), and results in Gemini's dialect name the function that they are of.
import { expect, it } from 'vitest'
import type { ChatDialect } from '../contract/dialect.ts'
import type { JsonObject } from '../contract/json.ts'
import { codecs } from './index.ts'

const call = (id: string, name: string) => ({
  id,
  type: 'function',
  function: { name, arguments: '{}' },
})
const round = (...calls: JsonObject[]) => ({ role: 'assistant', content: null, tool_calls: calls })
const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content })

const messages = [
  { role: 'user', content: 'hi' },
  round(call('call_0', 'look'), call('call_1', 'ask')),
  result('call_1', 'asked'),
  result('call_0', 'looked'),
  round(call('call_0', 'ask')),
  result('call_0', 'asked again'),
  round(call('call_0', 'look'), call('call_0', 'ask')),
  result('call_0', 'looked at last'),
  result('call_0', 'asked at last'),
]

function sent(dialect: ChatDialect, upstreamModel: string): JsonObject {
  const request = codecs['openai-chat'].parseRequest({ model: 'm', messages }, {})
  const target = { upstreamModel, dropped: [], option: () => undefined as never }
  return codecs[dialect].buildRequest(request, target)
}

it('gets ids of its own for each call at Anthropic, and its results follow', () => {
  const turns = sent('anthropic-messages', 'claude-opus-4-6').messages as JsonObject[]
  const blocks = turns.flatMap(({ content }) => content as JsonObject[])
  const calls = blocks.filter(({ type }) => type === 'tool_use')
  const ids = calls.map(({ id }) => id)
  expect(new Set(ids).size).toBe(5)
  expect(ids.slice(0, 2)).toEqual(['call_0', 'call_1'])
  const results = blocks.filter(({ type }) => type === 'tool_result')
  const nameOf = (id: unknown) => calls.find((block) => block.id === id)?.name
  expect(results.map(({ tool_use_id: id, content }) => [nameOf(id), content])).toEqual([
    ['look', 'looked'],
    ['ask', 'asked'],
    ['ask', 'asked again'],
    ['look', 'looked at last'],
    ['ask', 'asked at last'],
  ])
})

it('keeps each result with its own function at Gemini', () => {
  const contents = sent('gemini', 'gemini-2.5-flash').contents as JsonObject[]
  const parts = contents.flatMap((content) => content.parts as { functionResponse?: JsonObject }[])
  const results = parts.flatMap(({ functionResponse: given }) => (given ? [given] : []))
  expect(results).toEqual([
    { name: 'look', response: { content: 'looked' } },
    { name: 'ask', response: { content: 'asked' } },
    { name: 'ask', response: { content: 'asked again' } },
    { name: 'look', response: { content: 'looked at last' } },
    { name: 'ask', response: { content: 'asked at last' } },
  ])
})
