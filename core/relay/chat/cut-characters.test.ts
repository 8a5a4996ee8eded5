// Halves of surrogate pairs, which programs leave when they cut a text in the middle of a character and JSON can escape. Anthropic
// answers them with 400 ("no low surrogate in string").
import { beforeEach, describe, expect, it } from 'vitest'
import { relayRoom, sendJson } from '#test'
import {
  claudeAnswer,
  geminiAnswer,
  responsesAnswer,
} from '../../../test/harness/upstreams/whole-answers.ts'

const models = ['m', 'gpt-5-codex-m', 'claude', 'gemini', 'command'] as const
const room = relayRoom({
  channels: [
    { models: 'm,gpt-5-codex-m' },
    { models: 'claude', type: 14 },
    { models: 'gemini', type: 24 },
    { models: 'command', type: 34 },
    { models: 'bot', type: 49, other: 'bot', key: 'pat_1' },
  ],
  priced: [...models, 'bot'],
  customer: 'cutter',
})

beforeEach(() => {
  room.upstream.calls.length = 0
  room.upstream.behave((response, { path }) => sendJson(response, answerOf(path)))
})

function answerOf(path: string): object {
  if (path.endsWith('/messages')) return claudeAnswer('Hi', 7, 3)
  if (path.includes('generateContent')) return geminiAnswer('Hi', 7, 3)
  if (path.endsWith('/responses')) return responsesAnswer('Hi', 7, 3)
  const message = { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] }
  if (path.endsWith('/v2/chat')) return { id: 'c', message, finish_reason: 'COMPLETE' }
  const choice = { index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }
  return { choices: [choice], usage: { prompt_tokens: 7, completion_tokens: 3 } }
}

/** JSON as `JSON.stringify` writes it, with the halves escaped. */
const cut = 'cut \ud83d off'
const call = { name: 'f', arguments: JSON.stringify({ [cut]: cut }) }
const asked: Record<string, (model: string) => [path: string, body: object]> = {
  'openai-chat': (model) => {
    const calls = [{ id: 'c', type: 'function', function: call }]
    const messages = [
      { role: 'system', content: cut },
      { role: 'user', content: [{ type: 'text', text: cut }] },
      { role: 'assistant', tool_calls: calls },
      { role: 'tool', tool_call_id: 'c', content: cut },
    ]
    return ['/v1/chat/completions', { model, messages }]
  },
  'openai-responses': (model) => {
    const input = [
      { role: 'user', content: cut },
      { type: 'function_call', call_id: 'c', ...call },
      { type: 'function_call_output', call_id: 'c', output: cut },
    ]
    return ['/v1/responses', { model, instructions: cut, input }]
  },
  'anthropic-messages': (model) => {
    const messages = [
      { role: 'user', content: cut },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: { cut } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: cut }] },
    ]
    return ['/v1/messages', { model, max_tokens: 9, system: cut, messages }]
  },
  gemini: (model) => {
    const contents = [
      { role: 'user', parts: [{ text: cut }] },
      { role: 'model', parts: [{ functionCall: { name: 'f', args: { cut } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: { cut } } }] },
    ]
    return [`/v1beta/models/${model}:generateContent`, { contents }]
  },
}

function isWhole(json: string): boolean {
  let whole = json.isWellFormed()
  JSON.parse(json, (name, value: unknown) => {
    whole &&= name.isWellFormed() && (typeof value !== 'string' || value.isWellFormed())
    return value
  })
  return whole
}

const ownModels: Readonly<Record<string, readonly string[]>> = {
  'openai-chat': ['m'],
  'openai-responses': ['m', 'gpt-5-codex-m'],
  'anthropic-messages': ['claude'],
  gemini: ['gemini'],
}

describe.each(Object.entries(asked))('half a character in %s', (dialect, bodyFor) => {
  it.each(models)('reaches %s as it came, or as a mark where it is converted', async (model) => {
    const [path, body] = bodyFor(model)
    const json = JSON.stringify(body)
    const answer = await room.post(path, json)
    expect(answer.status).toBe(200)
    const sent = room.upstream.calls[0]?.sent ?? ''
    if (ownModels[dialect]?.includes(model)) expect(sent).toBe(json)
    else {
      expect(sent).toContain('cut \ufffd off')
      expect(isWhole(sent)).toBe(true)
    }
  })
})

describe('half a character', () => {
  const messages = [{ role: 'user', content: 'Hi' }]

  it('in an address is no fault of the gateway', async () => {
    const body = { model: 'bot', conversation_id: cut, messages }
    expect((await room.post('/v1/chat/completions', body)).status).toBe(502)
    expect(room.upstream.calls[0]?.path).toContain('conversation_id=cut%20%EF%BF%BD%20off')
  })

  it('is not left by the gateway where it cuts a name', async () => {
    const answer = await room.post('/v1/chat/completions', {
      model: 'a'.repeat(199) + '😀',
      messages,
    })
    expect(answer.status).toBe(404)
    expect(isWhole(await answer.text())).toBe(true)
  })
})
