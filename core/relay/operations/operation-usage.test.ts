import { expect, it } from 'vitest'
import type { CountedCall } from '../chat/count-prompt.ts'
import { operationUsage, usageOf } from './operation-usage.ts'

it('reads what a compaction wrote into the cache, which costs more than other input', () => {
  const usage = usageOf({
    input_tokens: 9000,
    input_tokens_details: {
      cached_tokens: 1000,
      cache_write_tokens: 7000,
      cache_write_tokens_details: { ttl_12h_tokens: 6000, ttl_30m_tokens: 1000 },
    },
    output_tokens: 50,
  })
  expect(usage).toMatchObject({ input: 9000, cacheRead: 1000, output: 50 })
  expect(usage).toMatchObject({ cacheWrite5m: 7000, cacheWrite12h: 6000 })
})

it.each([Number.NaN, -50, Number.POSITIVE_INFINITY, 0, 2_000_000_000])(
  'counts the prompt itself where an adapter finds an input of %d',
  async (input) => {
    const call = {
      operation: 'embeddings',
      requestedModel: 'm',
      body: { input: 'one two three four' },
    } as unknown as CountedCall
    const usage = await operationUsage(call, { data: [] }, { input })
    expect(usage).toMatchObject({ input: 4, output: 0, isEstimated: true })
  },
)

it.each([0, -7, 1e300])('counts the prompt itself where it is reported as %d', async (count) => {
  const call = {
    operation: 'embeddings',
    requestedModel: 'm',
    body: { input: 'one two three four' },
  } as unknown as CountedCall
  const usage = { prompt_tokens: count, completion_tokens: 3 }
  expect(await operationUsage(call, { data: [], usage }, undefined)).toMatchObject({
    input: 4,
    output: 3,
    isEstimated: true,
  })
})
