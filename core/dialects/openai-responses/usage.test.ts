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
