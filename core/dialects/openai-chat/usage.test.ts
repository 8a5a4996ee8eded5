// Servers of this dialect report tokens in many places and under several names.
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../contract/json.ts'
import { codecs } from '../index.ts'

const choice = { index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }

function read(answer: JsonObject) {
  const events = codecs['openai-chat'].parseAnswer({ choices: [choice], ...answer })
  return events.flatMap((event) => (event.type === 'usage' ? [event.usage] : []))
}

const counted = { prompt_tokens: 100, completion_tokens: 20 }

describe('the parts of a usage', () => {
  it.each<[string, JsonObject, object]>([
    ['OpenAI', { prompt_tokens_details: { cached_tokens: 40 } }, { cacheRead: 40 }],
    ['DeepSeek', { prompt_cache_hit_tokens: 40 }, { cacheRead: 40 }],
    ['Moonshot', { cached_tokens: 40 }, { cacheRead: 40 }],
    [
      'whoever says it twice',
      { prompt_tokens_details: { cached_tokens: 40 }, prompt_cache_hit_tokens: 50 },
      { cacheRead: 40 },
    ],
    ['OpenAI', { prompt_tokens_details: { cache_write_tokens: 30 } }, { cacheWrite5m: 30 }],
    ['one-api', { prompt_tokens_details: { cached_creation_tokens: 30 } }, { cacheWrite5m: 30 }],
    [
      'models that hear and see',
      { prompt_tokens_details: { audio_tokens: 5, image_tokens: 6 } },
      { inputAudio: 5, inputImage: 6 },
    ],
    [
      'models that think, speak and draw',
      { completion_tokens_details: { reasoning_tokens: 7, audio_tokens: 8, image_tokens: 9 } },
      { reasoning: 7, outputAudio: 8, outputImage: 9 },
    ],
    ['Perplexity', { num_search_queries: 3 }, { toolCalls: { web_search: 3 } }],
    [
      'OpenRouter',
      { server_tool_use: { web_search_requests: 2 } },
      { toolCalls: { web_search: 2 } },
    ],
  ])('are read as %s sends them: %j', (_who, more, expected) => {
    expect(read({ usage: { ...counted, ...more } })).toMatchObject([
      { input: 100, output: 20, ...expected },
    ])
  })

  it('are none that were not sent', () => {
    const [usage] = read({ usage: counted })
    expect(usage).toMatchObject({ cacheRead: 0, cacheWrite5m: 0, reasoning: 0, inputImage: 0 })
    expect(usage).not.toHaveProperty('toolCalls')
  })
})

describe('the place of a usage', () => {
  const other = { prompt_tokens: 1, completion_tokens: 1 }

  it.each<[string, JsonObject]>([
    ['the answer', { usage: counted, x_groq: { usage: other } }],
    [
      'its first choice',
      {
        choices: [
          { ...choice, usage: counted },
          { ...choice, index: 1 },
        ],
      },
    ],
    ['Groq’s own field', { x_groq: { usage: counted } }],
  ])('is %s', (_place, answer) => {
    expect(read(answer)).toMatchObject([{ input: 100, output: 20 }])
  })

  it.each([{}, { usage: null }, { usage: { prompt_tokens: 0, completion_tokens: 0 } }])(
    'is none where nothing was counted: %j',
    (answer) => {
      expect(read(answer)).toEqual([])
    },
  )

  it('is looked for in vain in a chunk without a choice', () => {
    const data = JSON.stringify({ choices: [], prompt_filter_results: [] })
    const parser = codecs['openai-chat'].streamParser()
    const events = parser.push({ event: undefined, data, raw: '' })
    expect(events.filter(({ type }) => type === 'usage')).toEqual([])
  })
})
