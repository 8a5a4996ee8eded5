import { Decimal as DecimalOf20Digits } from 'decimal.js'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Usage } from '../../contract/neutral.ts'
import type { PriceSnapshot } from '../../contract/services.ts'
import { noUsage } from '../../dialects/neutral/usage.ts'
import { estimateUnits } from './estimate.ts'
import { imagePrice } from './image-price.ts'
import { writeReceipt } from './receipt.ts'

const Decimal = DecimalOf20Digits.clone({ precision: 200 })
const byRatio: PriceSnapshot = {
  name: 'm',
  mode: 'ratio',
  modelPrice: -1,
  modelRatio: 1,
  completionRatio: 1,
  cacheRatio: 1,
  createCacheRatio: 1.25,
  imageRatio: 1,
  imageCompletionRatio: 1,
  audioRatio: 1,
  audioCompletionRatio: 2,
  hasImageRatio: false,
  hasAudioRatio: false,
  groupRatio: 1,
  group: 'default',
  quotaPerUnit: 500_000,
  toolPrices: {},
  factor: 1,
}
const total = (price: Partial<PriceSnapshot>, usage: Partial<Usage>) =>
  writeReceipt({ ...byRatio, ...price }, { ...noUsage, ...usage }, 'completed').total

describe('the charge of a call by ratio', () => {
  it.each([
    ['rounds half away from zero', { modelRatio: 1.005 }, { input: 100 }, 101],
    ['rounds once, not by line', { modelRatio: 0.3 }, { input: 1, output: 1 }, 1],
    ['counts the completion ratio', { completionRatio: 4 }, { input: 10, output: 5 }, 30],
    ['counts the group ratio', { modelRatio: 2, groupRatio: 0.5 }, { input: 10 }, 10],
    [
      'charges cached tokens at their ratio',
      { cacheRatio: 0.1 },
      { input: 100, cacheRead: 90 },
      19,
    ],
    [
      'charges cache writes of an hour 1.6 times those of five minutes',
      {},
      { input: 300, cacheWrite5m: 100, cacheWrite1h: 100 },
      100 + 125 + 200,
    ],
    [
      'charges cache writes of twelve hours twice as much as usual ones',
      {},
      { input: 300, cacheWrite5m: 200, cacheWrite12h: 120 },
      100 + 80 * 1.25 + 120 * 2.5,
    ],
    [
      'charges no more of them than were written',
      {},
      { input: 300, cacheWrite5m: 100, cacheWrite12h: 250 },
      200 + 100 * 2.5,
    ],
    [
      'charges audio at its own ratios',
      { hasAudioRatio: true, audioRatio: 16, audioCompletionRatio: 2, completionRatio: 4 },
      { input: 30, inputAudio: 10, output: 8, outputAudio: 3 },
      20 + 160 + 5 * 4 + 3 * 32,
    ],
    [
      'charges cached audio once, at the price of the cache',
      { hasAudioRatio: true, audioRatio: 16, cacheRatio: 0.5 },
      { input: 100, cacheRead: 80, inputAudio: 60 },
      80 * 0.5 + 20 * 16,
    ],
    [
      'charges cached images once, beside audio and cache writes',
      { hasAudioRatio: true, audioRatio: 16, hasImageRatio: true, imageRatio: 2, cacheRatio: 0.5 },
      { input: 100, cacheRead: 60, cacheWrite5m: 20, inputAudio: 5, inputImage: 90 },
      60 * 0.5 + 20 * 1.25 + 5 * 16 + 15 * 2,
    ],
    ['charges audio as text without a ratio', {}, { input: 30, inputAudio: 10 }, 30],
    [
      'charges drawn images at their own ratio',
      { completionRatio: 8, imageCompletionRatio: 100 },
      { output: 12, outputImage: 10 },
      2 * 8 + 10 * 100,
    ],
    ['never goes below zero for input', {}, { input: 5, cacheRead: 9 }, 9],
    ['takes one unit at least', { modelRatio: 0.0001 }, { input: 1 }, 1],
    ['is 0 for a free model', { modelRatio: 0 }, { input: 1000 }, 0],
    ['is 0 for a free group', { groupRatio: 0 }, { input: 1000 }, 0],
    ['is 0 when nothing was used', {}, {}, 0],
    ['ignores counts that are no counts', {}, { input: Number.NaN, output: -3, cacheRead: 2.9 }, 2],
  ])('%s', (_, price, usage, expected) => {
    expect(total(price, usage)).toBe(expected)
  })

  it('adds tools by the thousand calls, at the tier or at the plain tool', () => {
    const toolPrices = { web_search: 25, web_search_high: 50 }
    const usage = { input: 1, toolCalls: { web_search_high: 2, web_search_low: 1, unknown: 9 } }
    expect(total({ toolPrices, groupRatio: 2 }, usage)).toBe(2 + 2 * (2 * 25_000 + 12_500))
  })

  it('refuses a charge past 2^53', () => {
    expect(() => total({ modelRatio: 1e12 }, { input: 1e9 })).toThrow('too large')
  })

  it('explains itself line by line, and the lines add up in decimals', () => {
    const ratios = fc.integer({ min: 0, max: 100_000 }).map((n) => n / 1000)
    const counts = fc.integer({ min: 0, max: 2_000_000 })
    fc.assert(
      fc.property(ratios, ratios, ratios, ratios, counts, counts, counts, (m, c, r, g, i, k, o) => {
        const price = {
          ...byRatio,
          modelRatio: m,
          completionRatio: c,
          cacheRatio: r,
          groupRatio: g,
        }
        const receipt = writeReceipt(
          price,
          { ...noUsage, input: i + k, cacheRead: k, output: o },
          'completed',
        )
        const units = new Decimal(i).plus(new Decimal(k).times(r)).plus(new Decimal(o).times(c))
        const charge = units.times(m).times(g)
        const sum = receipt.lines.reduce((all, line) => all.plus(line.amount), new Decimal(0))
        expect(sum.eq(charge)).toBe(true)
        for (const line of receipt.lines) {
          expect(new Decimal(line.unit_price).times(line.count).eq(line.amount)).toBe(true)
        }
        const least = m * g > 0 && receipt.lines.length > 0 ? 1 : 0
        const rounded = charge.toDecimalPlaces(0, Decimal.ROUND_HALF_UP).toNumber()
        expect(receipt.total).toBe(Math.max(least, rounded))
      }),
    )
  })
})

describe('the charge of a call at a fixed price', () => {
  const price = { mode: 'price', modelPrice: 0.04, modelRatio: 0 } as const

  it('is price by units by group, whatever the tokens', () => {
    expect(total({ ...price, groupRatio: 0.5 }, { input: 9, output: 9 })).toBe(10_000)
  })

  it('takes one unit at least, unless price, group or share is 0', () => {
    const low = { ...price, modelPrice: 0.000_000_4 }
    expect(total(low, {})).toBe(1)
    expect(total({ ...price, groupRatio: 0.000_01, share: 0.5 }, {})).toBe(1)
    for (const free of [{ modelPrice: 0 }, { groupRatio: 0 }, { share: 0 }, { factor: 0 }])
      expect(total({ ...low, ...free }, {})).toBe(0)
  })

  it('adds tools', () => {
    const usage = { toolCalls: { file_search: 1 } }
    expect(total({ ...price, toolPrices: { file_search: 2.5 } }, usage)).toBe(20_000 + 1250)
  })

  it.each([
    [
      { model: 'dall-e-3', size: '1024x1792', quality: 'hd', count: 2 },
      0.04 * 500_000 * 2 * 1.5 * 2,
    ],
    [{ model: 'dall-e-3', quality: 'hd', count: 1 }, 0.04 * 500_000 * 2],
    [{ model: 'dall-e-2', size: '256x256', count: 1 }, 0.04 * 500_000 * 0.4],
    [{ model: 'imagen', size: '256x256', count: 3 }, 0.04 * 500_000 * 3],
  ])('knows sizes, qualities and numbers of images: %o', (call, expected) => {
    const snapshot = imagePrice({ ...byRatio, ...price }, call)
    expect(writeReceipt(snapshot, noUsage, 'completed').total).toBe(expected)
  })

  it('takes an image by ratio for 0.0025 dollars at ratio 1', () => {
    const snapshot = imagePrice({ ...byRatio, modelRatio: 0.3 }, { model: 'drawer', count: 1 })
    expect(snapshot.modelPrice).toBe(0.00075)
    expect(writeReceipt(snapshot, noUsage, 'completed').total).toBe(375)
  })
})

describe('what is reserved before a call', () => {
  it.each([
    ['takes the floor for short prompts', {}, { promptTokens: 3, maxTokens: 0 }, 500],
    ['takes the prompt when it is longer', {}, { promptTokens: 900, maxTokens: 0 }, 900],
    [
      'adds the answer at its ratio',
      { completionRatio: 4 },
      { promptTokens: 0, maxTokens: 100 },
      900,
    ],
    ['caps the answer', {}, { promptTokens: 0, maxTokens: 128_000 }, 500 + 8192],
    ['takes each of several answers', {}, { promptTokens: 0, maxTokens: 30, answers: 4 }, 620],
    ['rounds up', { modelRatio: 0.0011 }, { promptTokens: 0, maxTokens: 0 }, 1],
    ['is 0 for a free model', { modelRatio: 0 }, { promptTokens: 9999, maxTokens: 9 }, 0],
    [
      'is the price of a call at a fixed price',
      { mode: 'price', modelPrice: 0.1, factor: 2 } as const,
      { promptTokens: 9, maxTokens: 9 },
      100_000,
    ],
  ])('%s', (_, price, input, expected) => {
    const units = estimateUnits({ ...byRatio, ...price }, { ...input, leastPromptTokens: 500 })
    expect(units).toBe(expected)
  })
})
