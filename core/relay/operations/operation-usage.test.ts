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

it.each([
  ['prompt_tokens', 'prompt_tokens_details', 'completion_tokens', 'completion_tokens_details'],
  ['input_tokens', 'input_tokens_details', 'output_tokens', 'output_tokens_details'],
  ['input_tokens', 'input_token_details', 'output_tokens', 'output_token_details'],
])(
  'tells pictures and sound from text, and from the cache: %s, %s',
  (input, inputs, output, outputs) => {
    const usage = usageOf({
      [input]: 1000,
      [inputs]: {
        image_tokens: 300,
        audio_tokens: 200,
        cached_tokens: 260,
        cached_tokens_details: { image_tokens: 100, audio_tokens: 150 },
      },
      [output]: 90,
      [outputs]: { image_tokens: 40, audio_tokens: 30, reasoning_tokens: 10 },
    })
    expect(usage).toMatchObject({ input: 1000, cacheRead: 260, inputImage: 200, inputAudio: 50 })
    expect(usage).toMatchObject({ output: 90, outputImage: 40, outputAudio: 30, reasoning: 10 })
  },
)

it('takes a total for the input where nothing else is reported', () => {
  expect(usageOf({ total_tokens: 12 })).toMatchObject({ input: 12, output: 0 })
  const whole = { prompt_tokens: 12, completion_tokens: 0, total_tokens: 99 }
  expect(usageOf(whole)).toMatchObject({ input: 12, output: 0 })
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
