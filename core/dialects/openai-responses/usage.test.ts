import { expect, it } from 'vitest'
import { codecs } from '../index.ts'

it('reads how much of what was written to the cache is kept for twelve hours', () => {
  const events = codecs['openai-responses'].parseAnswer({
    id: 'resp_1',
    status: 'completed',
    output: [],
    usage: {
      input_tokens: 9000,
      input_tokens_details: {
        cached_tokens: 0,
        cache_write_tokens: 8000,
        cache_write_tokens_details: { ttl_12h_tokens: 6000, ttl_30m_tokens: 2000 },
      },
      output_tokens: 50,
    },
  })
  expect(events.find(({ type }) => type === 'usage')).toMatchObject({
    usage: { input: 9000, cacheWrite5m: 8000, cacheWrite12h: 6000 },
  })
})

it('counts pictures that a drawing read from the cache as read from the cache alone', () => {
  const events = codecs['openai-responses'].parseAnswer({
    id: 'resp_1',
    status: 'completed',
    output: [],
    usage: { input_tokens: 50, output_tokens: 5 },
    tool_usage: {
      image_gen: {
        input_tokens: 1000,
        input_tokens_details: { image_tokens: 800, text_tokens: 200 },
        cached_tokens: 600,
        cached_tokens_details: { cached_image_tokens: 550, cached_text_tokens: 50 },
        output_tokens: 1056,
      },
    },
  })
  expect(events.find(({ type }) => type === 'usage')).toMatchObject({
    usage: { drawn: { input: 1000, cacheRead: 600, inputImage: 250 } },
  })
})
