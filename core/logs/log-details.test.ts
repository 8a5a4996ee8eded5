import { describe, expect, it } from 'vitest'
import type { Usage } from '../contract/neutral.ts'
import type { PriceSnapshot } from '../contract/services.ts'
import { consumeText } from '../billing/consume-text.ts'
import { quotaText } from '../billing/quota-text.ts'
import { writeReceipt } from '../billing/prices/receipt.ts'
import { consumeDetails, errorDetails, type ConsumeFacts } from './log-details.ts'

const price: PriceSnapshot = {
  name: 'm',
  mode: 'ratio',
  modelPrice: -1,
  modelRatio: 2,
  completionRatio: 4,
  cacheRatio: 0.1,
  createCacheRatio: 1.25,
  imageRatio: 2,
  imageCompletionRatio: 4,
  audioRatio: 16,
  audioCompletionRatio: 2,
  hasImageRatio: true,
  hasAudioRatio: true,
  groupRatio: 1,
  group: 'default',
  quotaPerUnit: 500_000,
  toolPrices: { web_search: 10, file_search: 2.5, image_generation: 150 },
  factor: 1,
}
const usage: Usage = {
  input: 100,
  cacheRead: 60,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  inputAudio: 0,
  inputImage: 0,
  output: 10,
  reasoning: 0,
  outputAudio: 0,
  outputImage: 0,
}

function row(facts: Partial<ConsumeFacts> = {}): Record<string, unknown> {
  const used = facts.usage ?? usage
  return JSON.parse(
    consumeDetails({
      price,
      usage: used,
      receipt: writeReceipt(facts.price ?? price, used, 'completed'),
      firstByteMs: 12.4,
      tried: [
        {
          channelId: 3,
          status: 429,
          failureClass: 'throttled',
          startedAtMs: 1_000,
          durationMs: 40,
        },
        { channelId: 7, status: 200, startedAtMs: 1_040, durationMs: 900 },
      ],
      ...facts,
    }),
  )
}

describe('what a consumption row says beside its columns', () => {
  it('has the ratios, the first byte, the channels and the receipt', () => {
    expect(row()).toEqual({
      model_ratio: 2,
      group_ratio: 1,
      completion_ratio: 4,
      model_price: -1,
      cache_tokens: 60,
      cache_ratio: 0.1,
      frt: 12,
      receipt: {
        total: 172,
        lines: [
          { part: 'input', count: 40, unit_price: '2', amount: '80' },
          { part: 'cache_read', count: 60, unit_price: '0.2', amount: '12' },
          { part: 'output', count: 10, unit_price: '8', amount: '80' },
        ],
      },
      admin_info: {
        use_channel: ['3', '7'],
        attempts: [
          {
            channel_id: 3,
            status: 429,
            failure_class: 'throttled',
            started_at_ms: 1_000,
            duration_ms: 40,
          },
          { channel_id: 7, status: 200, started_at_ms: 1_040, duration_ms: 900 },
        ],
      },
    })
  })

  it.each<[string, Partial<ConsumeFacts>, object]>([
    ['no first byte', { firstByteMs: undefined }, { frt: -1000 }],
    ['a mapped model', { upstreamModel: 'x' }, { is_model_mapped: true, upstream_model_name: 'x' }],
    ['notes of the adapter', { notes: { reasoning_effort: 'high' } }, { reasoning_effort: 'high' }],
    ['notes that clash', { notes: { model_ratio: 0 } }, { model_ratio: 2 }],
    [
      'a fixed price',
      { price: { ...price, mode: 'price', modelPrice: 0.1 } },
      { model_price: 0.1 },
    ],
    [
      'several pictures',
      { price: { ...price, mode: 'price', modelPrice: 0.04, factor: 3 } },
      { model_price: 0.04, price_factor: 3 },
    ],
    ['Claude', { isClaude: true }, { claude: true }],
    ['a counted usage', { usage: { ...usage, isEstimated: true } }, { estimated: true }],
    ['dropped fields', { droppedParams: ['seed'] }, { dropped_params: ['seed'] }],
    [
      'an aborted stream',
      { receipt: { lines: [], total: 0, rule: 'client_left_counted' } },
      { end: 'client_left_counted' },
    ],
    [
      'cache writes',
      { usage: { ...usage, cacheWrite5m: 5 } },
      { cache_creation_tokens: 5, cache_creation_ratio: 1.25 },
    ],
    [
      'cache writes of both kinds',
      { usage: { ...usage, cacheWrite5m: 5, cacheWrite1h: 6 } },
      {
        cache_creation_tokens: 11,
        cache_creation_tokens_5m: 5,
        cache_creation_ratio_5m: 1.25,
        cache_creation_tokens_1h: 6,
        cache_creation_ratio_1h: 2,
      },
    ],
    [
      'audio',
      { usage: { ...usage, inputAudio: 30, outputAudio: 4 } },
      {
        audio: true,
        audio_input: 30,
        text_input: 70,
        audio_output: 4,
        text_output: 6,
        audio_ratio: 16,
        audio_completion_ratio: 2,
      },
    ],
    ['realtime', { isRealtime: true }, { ws: true, audio_input: 0, text_input: 100 }],
    [
      'pictures',
      { usage: { ...usage, inputImage: 9 } },
      { image: true, image_ratio: 2, image_output: 9 },
    ],
    [
      'tools',
      {
        usage: { ...usage, toolCalls: { web_search_high: 2, file_search: 1, image_generation: 1 } },
      },
      {
        web_search: true,
        web_search_call_count: 2,
        web_search_price: 10,
        file_search: true,
        file_search_call_count: 1,
        file_search_price: 2.5,
        image_generation_call: true,
        image_generation_call_price: 150,
      },
    ],
  ])('names %s', (_, facts, expected) => {
    expect(row(facts)).toMatchObject(expected)
  })
})

describe('what an error row says beside its columns', () => {
  it('has the failure, and the channel for admins', () => {
    const facts = {
      requestPath: '/v1/chat/completions',
      errorType: 'server_error',
      errorCode: null,
      statusCode: 502,
      channelId: 4,
      channelName: 'vendor',
      channelType: 1,
      tried: [
        { channelId: 4, status: 502, failureClass: 'upstream', startedAtMs: 2_000, durationMs: 7 },
      ],
      upstreamMessage: 'secret.example.com refused',
    }
    expect(JSON.parse(errorDetails(facts))).toEqual({
      request_path: '/v1/chat/completions',
      error_type: 'server_error',
      error_code: null,
      status_code: 502,
      channel_id: 4,
      channel_name: 'vendor',
      channel_type: 1,
      admin_info: {
        use_channel: ['4'],
        attempts: [
          {
            channel_id: 4,
            status: 502,
            failure_class: 'upstream',
            started_at_ms: 2_000,
            duration_ms: 7,
          },
        ],
        upstream_message: 'secret.example.com refused',
      },
    })
  })
})

describe('texts of log rows', () => {
  it.each([
    [price, 'm', usage, 'model ratio 2.00, completion ratio 4.00, group ratio 1.00'],
    [
      { ...price, modelRatio: 0.075, completionRatio: 25 / 3, groupRatio: 0.001 },
      'm',
      usage,
      'model ratio 0.075, completion ratio 8.33333, group ratio 0.001',
    ],
    [
      { ...price, mode: 'price' as const, modelPrice: 0.1 },
      'm',
      usage,
      'model price $0.1, group ratio 1.00',
    ],
    [
      price,
      'gpt-4-gizmo-g-1',
      { ...usage, input: 0, output: 0 },
      'model ratio 2.00, completion ratio 4.00, group ratio 1.00, no usage, the upstream may have timed out, model gpt-4-gizmo-g-1',
    ],
  ])('say how a call was charged (%#)', (snapshot, model, used, text) => {
    expect(consumeText(snapshot, { model, usage: used })).toBe(text)
  })

  it('write amounts in dollars or in units', () => {
    const options = (inCurrency: boolean) => ({
      get: <T>(key: string) => (key === 'QuotaPerUnit' ? 500_000 : inCurrency) as T,
    })
    expect(quotaText(1, options(true))).toBe('$0.000002')
    expect(quotaText(-500_000, options(true))).toBe('-$1')
    expect(quotaText(617_250_000_000, options(true))).toBe('$1,234,500')
    expect(quotaText(750_000, options(true))).toBe('$1.50')
    expect(quotaText(1234, options(false))).toBe('1234 units')
  })
})
