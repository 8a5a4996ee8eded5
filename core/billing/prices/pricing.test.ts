import { describe, expect, it } from 'vitest'
import { Type } from '@sinclair/typebox'
import type { OptionService } from '../../contract/options.ts'
import type { PricedAdapter } from './default-prices.ts'
import type { TaskPlatform } from '../../contract/task.ts'
import { createPricing } from './pricing.ts'

const shipped: Record<string, unknown> = {
  ModelPrice: { 'mj_*': 0.1, 'gpt-4-gizmo-*': 0.2 },
  ModelRatio: { 'gpt-4o': 1.25, 'gemini-2.5-flash': 0.15, 'shipped-alone': 1, mj_special: 3 },
  CompletionRatio: { 'gpt-4o': 4 },
  CacheRatio: { 'gpt-4o': 0.5 },
  CreateCacheRatio: {},
  ImageRatio: {},
  ImageCompletionRatio: {},
  AudioRatio: { 'gpt-4o-audio-preview': 16 },
  AudioCompletionRatio: {},
  PriceSteps: { 'gpt-4o': [{ above: 1000, input: 2, output: 1.5 }] },
  GroupRatio: { default: 1, vip: 0.8, hidden: 2 },
  UserUsableGroups: { vip: 'VIP', default: 'Default', gone: 'No ratio' },
  QuotaPerUnit: 500_000,
  PreConsumedQuota: 500,
  SelfUseModeEnabled: false,
  'tool_price_setting.prices': { web_search: 10, 'web_search:gpt-4o*': 25, web_search_low: 8 },
}

/** What adapters say of names that no table has. */
const families = {
  'claude-3*': { completion: 5 },
  'deepseek*': { cacheRead: 0.25 },
  'gpt-x-realtime*': { audio: 20 },
  'shipped-*': { completion: 3 },
  'long-*': { steps: [{ above: 50, input: 4, output: 4 }] },
}

function setUp(changes: Record<string, unknown> = {}) {
  const values: Record<string, unknown> = { ...shipped, ...changes }
  const listeners = new Set<(key: string) => void>()
  const options: OptionService = {
    get: <T>(key: string) => values[key] as T,
    set: async (key, value) => {
      values[key] = JSON.parse(value)
      for (const listener of listeners) listener(key)
    },
    setMany: async () => {},
    list: () => [],
    secretsSet: () => [],
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    schemaOf: (key) => Type.Unknown({ default: shipped[key] }),
  }
  const adapters: PricedAdapter[] = [{ prices: { models: {}, families: { ...families } } }]
  const logged: unknown[] = []
  const log = { error: (facts: object) => void logged.push(facts) }
  const pricing = createPricing({ options, adapters: () => adapters, log })
  const snapshot = (model: string, group = 'default') =>
    pricing.snapshot(model, group, { acceptUnset: false, isAdmin: false })
  return { options, pricing, snapshot, adapters, logged }
}

describe('which price applies', () => {
  it('is that of ratio 1 for a group without one, which is told once', () => {
    const { snapshot, logged } = setUp()
    for (const _time of [1, 2]) expect(snapshot('gpt-4o', 'forgotten').groupRatio).toBe(1)
    expect(logged).toEqual([{ group: 'forgotten', model: 'gpt-4o' }])
  })

  it.each([
    [
      'gpt-4o',
      { mode: 'ratio', modelRatio: 1.25, completionRatio: 4, cacheRatio: 0.5, modelPrice: -1 },
    ],
    ['mj_imagine', { mode: 'price', modelPrice: 0.1, name: 'mj_*' }],
    ['mj_special', { mode: 'ratio', modelRatio: 3 }],
    ['gpt-4-gizmo-g-abc', { mode: 'price', modelPrice: 0.2, name: 'gpt-4-gizmo-*' }],
    ['gemini-2.5-flash-thinking-2048', { modelRatio: 0.15, name: 'gemini-2.5-flash' }],
    ['gemini-2.5-flash-nothinking', { modelRatio: 0.15 }],
  ])('finds %s', (model, expected) => {
    expect(setUp().snapshot(model)).toMatchObject(expected)
  })

  it('prefers a fixed price to a ratio', () => {
    const { snapshot } = setUp({ ModelPrice: { 'gpt-4o': 0.5 } })
    expect(snapshot('gpt-4o')).toMatchObject({ mode: 'price', modelPrice: 0.5, modelRatio: 0 })
  })

  it('takes the longest prefix, and a base name only where it says more', () => {
    const ModelRatio = { 'gem-*': 1, 'gem-flash-*': 2, 'gem-flash-thinking-*': 3, 'gem-flash': 4 }
    const { snapshot } = setUp({ ModelRatio })
    expect(snapshot('gem-pro').modelRatio).toBe(1)
    expect(snapshot('gem-flash-8b').modelRatio).toBe(2)
    expect(snapshot('gem-flash-thinking-128').modelRatio).toBe(3)
    expect(snapshot('gem-flash-nothinking').modelRatio).toBe(2)
    expect(snapshot('gem-flash').modelRatio).toBe(4)
  })

  it("lets the operator's completion ratio win over table and family", () => {
    const { snapshot } = setUp({
      CompletionRatio: { 'gpt-4o': 7, 'claude-3-x': 9 },
      ModelRatio: { 'gpt-4o': 1, 'claude-3-x': 1, 'claude-3-y': 1 },
    })
    expect(snapshot('gpt-4o').completionRatio).toBe(7)
    expect(snapshot('claude-3-x').completionRatio).toBe(9)
    expect(snapshot('claude-3-y').completionRatio).toBe(5)
  })

  it('falls back to the shipped table, and to families only for names that it lacks', () => {
    const { snapshot } = setUp({ CompletionRatio: {}, CacheRatio: {} })
    expect(snapshot('gpt-4o')).toMatchObject({ completionRatio: 4, cacheRatio: 0.5 })
    expect(snapshot('shipped-alone')).toMatchObject({
      completionRatio: 1,
      cacheRatio: 1,
      createCacheRatio: 1.25,
    })
    const other = setUp({ ModelRatio: { 'deepseek-new': 1, 'gpt-x-realtime': 1 } })
    expect(other.snapshot('deepseek-new').cacheRatio).toBe(0.25)
    expect(other.snapshot('gpt-x-realtime')).toMatchObject({ audioRatio: 20, hasAudioRatio: true })
  })

  it('forgets the families of an adapter that is gone', () => {
    const { snapshot, adapters, pricing } = setUp({ ModelRatio: { 'deepseek-new': 1 } })
    expect(snapshot('deepseek-new').cacheRatio).toBe(0.25)
    adapters.length = 0
    pricing.refresh()
    expect(snapshot('deepseek-new').cacheRatio).toBe(1)
  })

  it('knows names that are properties of every object only as names', () => {
    expect(() => setUp().snapshot('constructor')).toThrow('no price')
    expect(
      setUp({ ModelRatio: JSON.parse('{"__proto__": 2}') }).snapshot('__proto__').modelRatio,
    ).toBe(2)
  })

  it('resolves tool prices for the model', () => {
    const { snapshot } = setUp()
    expect(snapshot('gpt-4o').toolPrices).toEqual({ web_search: 25, web_search_low: 25 })
    expect(snapshot('shipped-alone').toolPrices).toEqual({ web_search: 10, web_search_low: 8 })
  })

  it('charges an unknown group at 1', () => {
    expect(setUp().snapshot('gpt-4o', 'vip').groupRatio).toBe(0.8)
    expect(setUp().snapshot('gpt-4o', 'nowhere').groupRatio).toBe(1)
  })
})

describe('a model without price and ratio', () => {
  const refusal = (isAdmin: boolean) => {
    try {
      setUp().pricing.snapshot('new', 'default', { acceptUnset: false, isAdmin })
    } catch (error) {
      return error
    }
    return undefined
  }

  it('is refused with what to do about it', () => {
    const shape = {
      code: 'price.unset',
      status: 400,
      relayCode: 'model_price_error',
      headers: { 'x-should-retry': 'false' },
    }
    expect(refusal(false)).toMatchObject({
      ...shape,
      message: expect.stringContaining('administrator'),
    })
    expect(refusal(true)).toMatchObject({
      ...shape,
      message: expect.stringContaining('self-use mode'),
    })
  })

  it('costs 37.5 for a user who accepts that, and in self-use mode', () => {
    const accepted = setUp().pricing.snapshot('new', 'default', {
      acceptUnset: true,
      isAdmin: false,
    })
    expect(accepted).toMatchObject({ mode: 'ratio', modelRatio: 37.5, completionRatio: 1 })
    expect(setUp({ SelfUseModeEnabled: true }).snapshot('new').modelRatio).toBe(37.5)
  })
})

describe('prices over time', () => {
  it('keeps the snapshot of a running request and gives the next one the new price', async () => {
    const { options, snapshot } = setUp()
    const before = snapshot('gpt-4o')
    await options.set('ModelRatio', '{"gpt-4o": 9}')
    expect(before.modelRatio).toBe(1.25)
    expect(Object.isFrozen(before)).toBe(true)
    expect(snapshot('gpt-4o').modelRatio).toBe(9)
  })

  it('reserves at least PreConsumedQuota tokens', () => {
    const { pricing, snapshot } = setUp()
    expect(pricing.estimate(snapshot('shipped-alone'), { promptTokens: 1, maxTokens: 0 })).toBe(500)
  })
})

describe('groups', () => {
  it('offers a user the public ones and the own one, those with a ratio', () => {
    const { pricing } = setUp()
    expect(pricing.usableGroups('hidden')).toEqual([
      { name: 'default', ratio: 1, desc: 'Default' },
      { name: 'hidden', ratio: 2, desc: 'User group' },
      { name: 'vip', ratio: 0.8, desc: 'VIP' },
    ])
    expect(pricing.usableGroups('nowhere').map(({ name }) => name)).toEqual(['default', 'vip'])
  })

  it('offers a visitor default even when it is not listed', () => {
    const { pricing } = setUp({ UserUsableGroups: {} })
    expect(pricing.usableGroups(undefined).map(({ name }) => name)).toEqual(['default'])
  })

  it('lists a group before the one with the greater number', () => {
    const { pricing } = setUp({
      GroupRatio: { 'team-10': 1, default: 1, 'team-2': 1, 'team-1': 1 },
    })
    expect(pricing.groupNames()).toEqual(['default', 'team-1', 'team-2', 'team-10'])
  })

  it('lists all, default first', () => {
    expect(setUp().pricing.groupNames()).toEqual(['default', 'hidden', 'vip'])
  })
})

describe('steps by length', () => {
  const own = [{ above: 500, input: 3, output: 3 }]

  it.each([
    ['are the shipped ones', {}, 'gpt-4o', [{ above: 1000, input: 2, output: 1.5 }]],
    [
      'hold on ratios of the admin',
      { ModelRatio: { 'gpt-4o': 9 } },
      'gpt-4o-high',
      [{ above: 1000, input: 2, output: 1.5 }],
    ],
    ['are the admin’s, where he names the model', { PriceSteps: { 'gpt-*': own } }, 'gpt-4o', own],
    ['are none where he says so', { PriceSteps: { 'gpt-4o': [] } }, 'gpt-4o', []],
    [
      'of a family serve names that no table has',
      { ModelRatio: { 'long-new': 1 } },
      'long-new',
      [{ above: 50, input: 4, output: 4 }],
    ],
  ])('%s', (_, changes, model, steps) => {
    const { pricing, snapshot } = setUp(changes)
    expect(snapshot(model).steps).toEqual(steps)
    const [row] = pricing.rows(new Map([[model, ['default']]]))
    expect(row?.['price_steps']).toEqual(steps.length === 0 ? undefined : steps)
  })

  it('change with their option', async () => {
    const { options, snapshot } = setUp()
    await options.set('PriceSteps', JSON.stringify({ 'gpt-4o': own }))
    expect(snapshot('gpt-4o').steps).toEqual(own)
  })
})

describe('the price list', () => {
  it('has a row a model, sorted, with numbers in every field', () => {
    const models = new Map([
      ['new', []],
      ['gpt-4o', ['default', 'vip']],
      ['mj_x', ['default']],
    ])
    expect(setUp().pricing.rows(models)).toMatchObject([
      {
        model_name: 'gpt-4o',
        quota_type: 0,
        model_ratio: 1.25,
        model_price: 0,
        completion_ratio: 4,
        owner_by: '',
        enable_groups: ['default', 'vip'],
        cache_ratio: 0.5,
      },
      { model_name: 'mj_x', quota_type: 1, model_ratio: 0, model_price: 0.1, completion_ratio: 0 },
      {
        model_name: 'new',
        quota_type: 0,
        model_ratio: 37.5,
        model_price: 0,
        completion_ratio: 1,
        enable_groups: [],
        is_priced: false,
      },
    ])
  })

  it('shows a task without a price of the options at the shipped one, which it costs', () => {
    const { pricing, adapters, snapshot } = setUp({ ModelPrice: {} })
    const models = { song: { price: 0.1 }, chat: { ratio: 1 } }
    const tasks = { id: 'songs' } as TaskPlatform
    adapters.push({ prices: { models }, tasks })
    pricing.refresh()
    expect(snapshot('song')).toMatchObject({ mode: 'price', modelPrice: 0.1 })
    const [row] = pricing.rows(new Map([['song', []]]))
    expect(row).toMatchObject({ quota_type: 1, model_price: 0.1 })
    expect(row).not.toHaveProperty('is_priced')
    expect(['song', 'chat'].map((model) => pricing.isPriced(model))).toEqual([true, false])
  })

  it('names cache writes that last and pictures that cost more or less', () => {
    const tables = {
      ModelRatio: { 'claude-new': 1, 'gpt-new': 1, 'gpt-4o': 1.25 },
      CreateCacheRatio: { 'claude-new': 1.25, 'gpt-new': 1.25 },
      ModelPrice: { 'dall-e-2': 0.02, 'dall-e-3': 0.04, mj_x: 0.1 },
    }
    const rowOf = (model: string) => setUp(tables).pricing.rows(new Map([[model, []]]))[0]
    expect(rowOf('claude-new')).toMatchObject({ create_cache_1h_ratio: 2 })
    expect(rowOf('gpt-new')).toMatchObject({ create_cache_12h_ratio: 2.5 })
    expect(JSON.stringify(rowOf('gpt-4o'))).not.toMatch(/h_ratio|factors/)
    expect(rowOf('dall-e-2')).toMatchObject({
      image_factors: [
        { size: '256x256', factor: 0.4 },
        { size: '512x512', factor: 0.45 },
      ],
    })
    expect(rowOf('dall-e-3')).toMatchObject({
      image_factors: [
        { size: '1024x1792', factor: 2 },
        { size: '1792x1024', factor: 2 },
        { size: '1024x1024', quality: 'hd', factor: 2 },
        { size: '1024x1792', quality: 'hd', factor: 3 },
        { size: '1792x1024', quality: 'hd', factor: 3 },
      ],
    })
    expect(rowOf('mj_x')).not.toHaveProperty('image_factors')
  })

  it('says which models have a price', () => {
    const { pricing } = setUp()
    expect(['gpt-4o', 'mj_x', 'new'].map((model) => pricing.isPriced(model))).toEqual([
      true,
      true,
      false,
    ])
  })
})
