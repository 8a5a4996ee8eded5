import { describe, expect, it } from 'vitest'
import type { Usage } from '../../contract/neutral.ts'
import type { PriceSnapshot } from '../../contract/services.ts'
import { noUsage } from '../../dialects/neutral/usage.ts'
import { estimateUnits } from './estimate.ts'
import { writeReceipt } from './receipt.ts'

/** Five dollars a million tokens of prompt, dearer above 1 000 and 2 000 tokens. */
const price: PriceSnapshot = {
  name: 'm',
  mode: 'ratio',
  modelPrice: -1,
  modelRatio: 2.5,
  completionRatio: 6,
  cacheRatio: 0.1,
  createCacheRatio: 1.25,
  imageRatio: 2,
  imageCompletionRatio: 6,
  audioRatio: 4,
  audioCompletionRatio: 2,
  hasImageRatio: true,
  hasAudioRatio: true,
  groupRatio: 1,
  group: 'default',
  quotaPerUnit: 500_000,
  toolPrices: { web_search: 10 },
  steps: [
    { above: 1000, input: 2, output: 1.5 },
    { above: 2000, input: 3.1, output: 2, cacheRead: 2.5 },
  ],
  factor: 1,
}
const receipt = (usage: Partial<Usage>, changes: Partial<PriceSnapshot> = {}) =>
  writeReceipt({ ...price, ...changes }, { ...noUsage, ...usage }, 'completed')
const total = (...asked: Parameters<typeof receipt>) => receipt(...asked).total

describe('a call whose prompt is longer than a step', () => {
  it.each([
    ['costs the model’s own prices up to it', { input: 1000, output: 10 }, 2500 + 150],
    ['costs the multiple from the next token on, whole', { input: 1001, output: 10 }, 5005 + 225],
    ['costs the highest step that it reaches', { input: 2001, output: 10 }, 15_508 + 300],
    [
      'counts what lay in a cache or was written to it',
      { input: 1200, cacheRead: 1000, cacheWrite5m: 50, cacheWrite1h: 50 },
      100 * 5 + 1000 * 0.5 + 50 * 6.25 + 50 * 10,
    ],
    [
      'takes the step’s own factor for the cache',
      { input: 2100, cacheRead: 2000 },
      100 * 7.75 + 2000 * 0.625,
    ],
    [
      'counts sound and pictures of the prompt, and sells them dearer, too',
      { input: 1300, inputAudio: 200, inputImage: 100, output: 30, outputAudio: 10 },
      1000 * 5 + 200 * 20 + 100 * 10 + 20 * 22.5 + 10 * 30,
    ],
    [
      'goes by the longest prompt where several were asked',
      { input: 1500, longestPrompt: 900, output: 10 },
      3750 + 150,
    ],
    ['leaves tools at their price', { input: 1001, toolCalls: { web_search: 1 } }, 5005 + 5000],
  ])('%s', (_, usage, expected) => {
    expect(total(usage)).toBe(Math.round(expected))
  })

  it('says by which step it was charged', () => {
    expect(receipt({ input: 1001 }).step).toEqual({ above: 1000, input: 2, output: 1.5 })
    expect(receipt({ input: 1000 })).not.toHaveProperty('step')
  })

  it('costs a fixed price whatever its length', () => {
    expect(total({ input: 5000 }, { mode: 'price', modelPrice: 0.01 })).toBe(5000)
  })

  it('is free where the model is', () => {
    expect(total({ input: 5000, output: 10 }, { modelRatio: 0 })).toBe(0)
  })
})

describe('the reservation of a long prompt', () => {
  const reserved = (promptTokens: number, maxTokens = 0) =>
    estimateUnits(price, { promptTokens, maxTokens, leastPromptTokens: 1 })

  it('is that of the step which the prompt may reach', () => {
    expect(reserved(800)).toBe(2000)
    expect(reserved(801)).toBe(801 * 5)
    expect(reserved(1000, 100)).toBe(1000 * 5 + 100 * 22.5)
    expect(reserved(1601)).toBe(Math.ceil(1601 * 7.75))
  })
})
