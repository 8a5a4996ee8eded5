import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { coreOptions } from '../core/app/core-options.ts'
import { areSorted } from '../core/billing/prices/price-steps.ts'
import { createPricing } from '../core/billing/prices/pricing.ts'
import { quietLog } from '../test/harness/quiet-log.ts'
import { pricedAdapters, shippedByProvider, shippedPrices } from '../test/harness/shipped-prices.ts'
import { defaults } from './defaults.ts'

const { schema } = coreOptions(defaults, shippedPrices)
const property = (key: string) => schema.properties[key as keyof typeof schema.properties]
const options: Parameters<typeof createPricing>[0]['options'] = {
  get: <T>(key: string) => property(key)?.default as T,
  onChange: () => () => undefined,
  schemaOf: property,
}
const pricing = createPricing({ options, adapters: pricedAdapters, log: quietLog })
const price = (model: string) =>
  pricing.snapshot(model, 'default', { acceptUnset: false, isAdmin: false })

describe('the shipped prices', () => {
  it.each([
    ['gpt-4o', { modelRatio: 1.25, completionRatio: 4, cacheRatio: 0.5 }],
    ['whisper-1', { modelRatio: 3 }],
    [
      'claude-sonnet-4-5',
      { modelRatio: 1.5, completionRatio: 5, cacheRatio: 0.1, createCacheRatio: 1.25 },
    ],
    ['claude-sonnet-4-5-20250929-thinking', { modelRatio: 1.5 }],
    ['claude-opus-4-8-thinking', { name: 'claude-opus-4-8', modelRatio: 2.5 }],
    ['gemini-2.5-flash-thinking-1024', { name: 'gemini-2.5-flash' }],
    ['dall-e-3', { mode: 'price', modelPrice: 0.04 }],
    ['gpt-4-gizmo-g-abc', { mode: 'price', modelPrice: 0.1 }],
    ['gpt-4o-gizmo-g-abc', { mode: 'ratio', name: 'gpt-4o-gizmo-*' }],
    ['gpt-4o-audio-preview', { hasAudioRatio: true, audioRatio: 16, audioCompletionRatio: 2 }],
    ['gpt-image-1', { hasImageRatio: true, imageRatio: 2 }],
    ['gemini-2.5-flash-image', { imageCompletionRatio: 100 }],
    ['claude-haiku-5-5', { modelRatio: 0.05, steps: [{ above: 100_000, input: 5, output: 5 }] }],
    ['gemini-2.5-pro', { steps: [{ above: 200_000, input: 2, output: 1.5 }] }],
    ['gemini-2.5-pro-thinking-1024', { steps: [{ above: 200_000, input: 2, output: 1.5 }] }],
    ['gpt-5.5', { steps: [{ above: 272_000, input: 2, output: 1.5 }] }],
    ['gpt-5.2', { steps: [] }],
  ])('price %s', (model, expected) => {
    expect(price(model)).toMatchObject(expected)
  })

  it.each([
    ['gpt-4o', { web_search: 10, web_search_preview: 25, file_search: 2.5 }],
    [
      'o3',
      {
        web_search: 10,
        code_interpreter: 30,
        code_interpreter_4g: 120,
        image_generation: 150,
        image_generation_high_wide: 250,
      },
    ],
    ['claude-sonnet-4-5', { web_search: 10 }],
    ['deepseek-flash', { web_search: 0.75, web_fetch: 0.75 }],
    ['kimi-k2.6', { web_search: 5 }],
    ['moonshot-v1-8k', { web_search: 5 }],
    ['glm-5.3', { web_search: 1.5, web_search_pro_quark: 6.849315 }],
    ['sonar-pro', { web_search: 2.5, web_fetch: 0.5 }],
    ['grok-4.6', { web_search: 5, x_search: 5, code_interpreter: 5, code_interpreter_4g: 5 }],
    ['gemini-2.5-flash', { google_search: 35, google_maps: 25 }],
    ['gemini-3.7-flash', { google_search: 14, google_maps: 14 }],
  ])('price the tools of %s', (model, expected) => {
    expect(price(model).toolPrices).toMatchObject(expected)
  })

  it.each(
    Object.entries({ ...shippedPrices, ...defaults }).filter(
      ([name]) => !['userUsableGroups', 'makers', 'otherGateways', 'steps'].includes(name),
    ),
  )('are numbers from 0 on in %s', (_, map) => {
    for (const value of Object.values(map)) {
      expect(value).toBeGreaterThanOrEqual(0)
      expect(Number.isFinite(value)).toBe(true)
    }
  })

  it.each([
    ['claude-sonnet-4-5-of-ours', 5],
    ['claude-2-of-ours', 3],
    ['gpt-4.1-of-ours', 4],
    ['gpt-5-of-ours', 8],
    ['gpt-5.4-of-ours', 6],
    ['gpt-6-of-ours', 5],
    ['o4-of-ours', 4],
  ])('price the output of a name that no table has, %s, as its family does', (model, expected) => {
    const caller = { acceptUnset: true, isAdmin: false }
    expect(pricing.snapshot(model, 'default', caller).completionRatio).toBe(expected)
  })

  it('rise with the length of the prompt, step by step', () => {
    const steps = Object.values(shippedPrices.steps)
    expect(steps.length).toBeGreaterThan(40)
    for (const ofModel of steps) {
      expect(areSorted(ofModel)).toBe(true)
      for (const { above, input, output } of ofModel)
        expect([above > 0, input >= 1, output >= 1]).toEqual([true, true, true])
    }
  })

  it('are stated once: no two adapters price one model', () => {
    const owners = new Map<string, string[]>()
    for (const { id, prices } of shippedByProvider) {
      for (const model of Object.keys(prices.models))
        owners.set(model, [...(owners.get(model) ?? []), id])
    }
    expect([...owners].filter(([, ids]) => ids.length > 1)).toEqual([])
    expect(owners.size).toBeGreaterThan(500)
  })

  it('come with a default group', () => {
    expect(pricing.usableGroups(undefined)).toMatchObject([
      { name: 'default', ratio: 1 },
      { name: 'vip' },
    ])
  })
})

describe('the gateways whose databases can be imported', () => {
  const page = readFileSync(new URL('../docs/channel-types.md', import.meta.url), 'utf8')
  const types = [...page.matchAll(/^\| (\d+) \|/gm)].map(([, type]) => type)

  it.each(defaults.otherGateways.map((gateway) => [gateway.name, gateway] as const))(
    '%s: its channel types become some that exist here, at addresses that do',
    (_, { channelTypes }) => {
      expect(channelTypes.length).toBeGreaterThan(5)
      for (const { type, baseUrl } of channelTypes) {
        expect(types).toContain(String(type))
        if (baseUrl !== undefined) expect(new URL(baseUrl).protocol).toBe('https:')
      }
    },
  )
})
