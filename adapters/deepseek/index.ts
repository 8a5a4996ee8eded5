// DeepSeek speaks the OpenAI dialect. Source: api-docs.deepseek.com, pages "Reasoning model", "Error codes", "Get user balance".
import { defineAdapter, objectsOf, UpstreamError } from '#core'
import {
  amountOf,
  askWithKey,
  messagesSettings,
  openaiCompatible,
  openaiModelList,
  readFailure,
  withCachedTokens,
} from '#adapter-kit'
import { toDeepseek } from './to-deepseek.ts'
import prices from './prices.json' with { type: 'json' }

// Cache hits have a field of their own beside the one that OpenAI clients read.
const withCacheHits = withCachedTokens('prompt_cache_hit_tokens')

export default defineAdapter({
  id: 'deepseek',
  channelTypes: { 43: 'DeepSeek' },
  baseUrl: 'https://api.deepseek.com',
  // Page "Your first API call". deepseek-chat and deepseek-reasoner were to be withdrawn on 24 July 2026; v4-flash and its vision name are served by
  // deepseek-flash.
  models: [
    'deepseek-flash',
    'deepseek-v4-flash',
    'deepseek-v4-pro',
    'deepseek-v4-flash-vision-exp',
  ],
  prices,
  mark: 'deepseek',
  makes: ['deepseek'],
  picker: { section: 'popular', zh: '深度求索 DeepSeek', aliases: ['深度求索', 'R1', 'V3'] },
  summary: 'DeepSeek chat and reasoning models.',
  operations: openaiCompatible({
    operations: ['completions'],
    paths: { completions: '/beta/completions' },
    request: { chat: toDeepseek },
    answer: { chat: withCacheHits },
    chunk: withCacheHits,
    capabilities: () => ({ jsonSchema: false }),
    // Page "Messages API": bearer keys are taken; container, mcp_servers, service_tier, top_k and cache marks are ignored; tokens are not counted.
    messages: { origins: ['https://api.deepseek.com'], path: '/anthropic' },
  }),
  settings: messagesSettings,
  fetchModels: openaiModelList(),
  async fetchBalance(channel, http, { httpOptions, options }) {
    const url = `${channel.baseUrl.replace(/\/v1$/, '')}/user/balance`
    const body = await askWithKey(http, channel, url, httpOptions)
    const infos = objectsOf(body['balance_infos'])
    const info = infos.find((entry) => entry['currency'] === 'CNY') ?? infos[0]
    if (!info) throw new UpstreamError(readFailure(200, body))
    const balance = amountOf(info['total_balance'])
    return info['currency'] === 'USD' ? balance : balance / options.get<number>('Price')
  },
})
