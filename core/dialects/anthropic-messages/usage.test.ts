import { expect, it } from 'vitest'
import { MessagesStreamParser } from './parse-stream.ts'
import { readUsage } from './usage.ts'

const message = { type: 'message', input_tokens: 100, output_tokens: 10 }
const compaction = {
  type: 'compaction',
  input_tokens: 50,
  output_tokens: 20,
  cache_read_input_tokens: 900,
  cache_creation_input_tokens: 7,
  cache_creation: { ephemeral_1h_input_tokens: 7, ephemeral_5m_input_tokens: 0 },
}
const advice = { type: 'advisor_message', model: 'x', input_tokens: 800, output_tokens: 70 }
const totals = { input_tokens: 100, output_tokens: 10, cache_read_input_tokens: 5 }

it('adds what the totals leave out: summing up a long conversation, and asking for advice', () => {
  const usage = readUsage({ ...totals, iterations: [compaction, message, advice] })
  expect(usage).toMatchObject({
    input: 100 + 5 + 50 + 900 + 7 + 800,
    cacheRead: 905,
    cacheWrite5m: 0,
    cacheWrite1h: 7,
    output: 100,
  })
})

it.each([
  [[message, { ...message, type: 'fallback_message' }]],
  [[null, 'compaction', { type: 'compaction', input_tokens: '9' }]],
  [{ type: 'compaction', input_tokens: 9 }],
  [null],
])('believes the totals beside iterations that are part of them, or nonsense: %j', (iterations) => {
  expect(readUsage({ ...totals, iterations })).toEqual(readUsage(totals))
})

it('counts what the server ran, tool by tool', () => {
  const ran = {
    web_search_requests: 2,
    web_fetch_requests: 1,
    code_execution_requests: 0,
    other: 3,
  }
  const usage = readUsage({ ...totals, server_tool_use: ran })
  expect(usage?.toolCalls).toEqual({ web_search: 2, web_fetch: 1 })
})

it('goes by the longest of several prompts', () => {
  const usage = readUsage({
    input_tokens: 10,
    iterations: [900, 300].map((input_tokens) => ({ type: 'compaction', input_tokens })),
  })
  expect(usage).toMatchObject({ input: 1210, longestPrompt: 900 })
})

it('adds them in a stream, where they come with the last counts', () => {
  const parser = new MessagesStreamParser()
  const push = (json: Record<string, unknown>) =>
    parser.push({ event: undefined, data: '{}', raw: '', json })
  push({ type: 'message_start', message: { usage: { ...totals, output_tokens: 1 } } })
  const usage = { output_tokens: 10, iterations: [compaction, message] }
  const events = push({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage })
  expect(events[0]).toMatchObject({
    type: 'usage',
    usage: { input: 1062, output: 30 },
  })
})
