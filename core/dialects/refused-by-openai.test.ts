// What other dialects say and OpenAI refuses: "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum
// length 40", and "'parallel_tool_calls' is not supported with this model" (o-series, chat completions).
import { expect, it } from 'vitest'
import type { ChatDialect } from '../contract/dialect.ts'
import type { JsonObject } from '../contract/json.ts'
import { codecs } from './index.ts'

function built(dialect: ChatDialect, upstreamModel: string, id: string): [JsonObject, string[]] {
  const body = {
    model: 'm',
    max_tokens: 9,
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'seen' }] },
    ],
    tools: [{ name: 'look', input_schema: { type: 'object' } }],
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
  }
  const request = codecs['anthropic-messages'].parseRequest(body, {})
  const dropped: string[] = []
  const target = { upstreamModel, dropped, option: () => undefined as never }
  return [codecs[dialect].buildRequest(request, target), dropped]
}

const idsOf = (body: JsonObject): string[] =>
  [...JSON.stringify(body).matchAll(/"(?:id|tool_call_id|call_id)":"([^"]*)"/g)].map(
    ([, id]) => id ?? '',
  )

it.each<[ChatDialect, number]>([
  ['openai-chat', 40],
  ['openai-responses', 64],
])('%s gets ids of at most %d signs', (dialect, most) => {
  const long = `toolu_${'x'.repeat(most - 5)}`
  const [call, result, ...others] = idsOf(built(dialect, 'gpt-4.1', long)[0])
  expect(call).toMatch(/^call_[0-9a-f]{24}$/)
  expect([result, others]).toEqual([call, []])
  const fit = `toolu_${'x'.repeat(most - 6)}`
  expect(idsOf(built(dialect, 'gpt-4.1', fit)[0])).toEqual([fit, fit])
})

it('is not asked for one call at a time where the model has no such switch', () => {
  const [body, dropped] = built('openai-chat', 'o4-mini', 'a')
  expect(body).not.toHaveProperty('parallel_tool_calls')
  expect(dropped).toEqual(['parallel_tool_calls'])
  const [known, none] = built('openai-chat', 'gpt-5.4', 'a')
  expect(known).toMatchObject({ parallel_tool_calls: false })
  expect(none).toEqual([])
})

it('gets the results of calls directly behind them, whatever was said meanwhile', () => {
  const call = (call_id: string) => ({
    type: 'function_call',
    call_id,
    name: 'look',
    arguments: '{}',
  })
  const result = (call_id: string) => ({ type: 'function_call_output', call_id, output: call_id })
  const input = [
    { role: 'user', content: 'Look' },
    call('a'),
    call('b'),
    result('a'),
    { role: 'user', content: 'Hurry' },
    result('b'),
    { role: 'user', content: 'Well?' },
  ]
  const request = codecs['openai-responses'].parseRequest({ model: 'm', input }, {})
  const target = { upstreamModel: 'gpt-4.1', dropped: [], option: () => undefined as never }
  const { messages } = codecs['openai-chat'].buildRequest(request, target)
  const said = (messages as JsonObject[]).map(({ role, content }) => [role, content])
  expect(said).toEqual([
    ['user', 'Look'],
    ['assistant', null],
    ['tool', 'a'],
    ['tool', 'b'],
    ['user', 'Hurry'],
    ['user', 'Well?'],
  ])
})
