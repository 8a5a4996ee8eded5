import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../test/harness/clock.ts'
import type { ChatDialect } from '../../contract/dialect.ts'
import type { JsonObject } from '../../contract/json.ts'
import { codecs } from '../index.ts'

const many = <T>(item: T): T[] => Array.from({ length: 140_000 }, () => item)
const texts = many({ type: 'text', text: 'a' })

// A spread into a call takes each item for an argument, of which the stack holds about 120 000.
describe('lists that are longer than the arguments of a call', () => {
  it.each<[ChatDialect, JsonObject]>([
    ['openai-chat', { messages: [{ role: 'assistant', content: texts }] }],
    [
      'openai-chat',
      {
        messages: [
          { role: 'user', content: texts },
          { role: 'user', content: 'x' },
        ],
      },
    ],
    ['anthropic-messages', { max_tokens: 5, messages: [{ role: 'system', content: texts }] }],
    ['anthropic-messages', { max_tokens: 5, messages: many({ role: 'user', content: 'x' }) }],
    [
      'anthropic-messages',
      {
        max_tokens: 5,
        messages: [
          { role: 'user', content: 'x' },
          { role: 'user', content: texts },
        ],
      },
    ],
    [
      'openai-responses',
      { input: [{ role: 'system', content: many({ type: 'input_text', text: 'a' }) }] },
    ],
    [
      'openai-responses',
      { input: [{ role: 'assistant', content: many({ type: 'output_text', text: 'a' }) }] },
    ],
    [
      'gemini',
      {
        contents: [
          { role: 'user', parts: [{ text: 'x' }] },
          { role: 'user', parts: many({ text: 'a' }) },
        ],
      },
    ],
  ])('are read and written: %s', (dialect, body) => {
    const request = codecs[dialect].parseRequest({ model: 'm', ...body }, { model: 'm' })
    for (const codec of Object.values(codecs)) {
      const target = { upstreamModel: 'm', dropped: [], option: () => undefined as never }
      expect(() => codec.buildRequest(request, target)).not.toThrow(RangeError)
    }
  })
})

it('reads the results of many calls in linear time', () => {
  const ids = Array.from({ length: 40_000 }, (_, index) => `c${index}`)
  const calls = ids.map((id) => ({ id, type: 'function', function: { name: 'f' } }))
  const results = ids.map((id) => ({ role: 'tool', tool_call_id: id, content: 'r' }))
  const body = { model: 'm', messages: [{ role: 'assistant', tool_calls: calls }, ...results] }
  const spentMs = processorTime()
  const { turns } = codecs['openai-chat'].parseRequest(body, { model: 'm' })
  expect(turns.map(({ parts }) => parts.length)).toEqual([40_000, 40_000])
  expect(spentMs()).toBeLessThan(2_000)
})
