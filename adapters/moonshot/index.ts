// Moonshot (Kimi) speaks the OpenAI dialect. Source: platform.moonshot.cn, API reference, pages "Chat", "Errors", "Get balance".
import { defineAdapter } from '#core'
import {
  askWithKey,
  classTable,
  messagesSettings,
  openaiCompatible,
  openaiModelList,
} from '#adapter-kit'
import { kimiSearches } from './count-searches.ts'
import { readBalance } from './read-balance.ts'
import { toMoonshot } from './to-moonshot.ts'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'moonshot',
  channelTypes: { 25: 'Moonshot' },
  baseUrl: 'https://api.moonshot.cn',
  models: ['kimi-k3.1-pro', 'kimi-k3.1-pro-highspeed', 'kimi-k3', 'kimi-k2.7-code', 'kimi-k2.6'],
  prices,
  mark: 'moonshot',
  makes: ['kimi', 'moonshot'],
  picker: { section: 'china', zh: '月之暗面 Kimi', aliases: ['Kimi', 'Moonshot AI'] },
  summary: 'Kimi chat, vision and thinking models of Moonshot AI.',
  operations: openaiCompatible({
    operations: [],
    request: { chat: toMoonshot },
    answer: { chat: kimiSearches.answer },
    chunk: kimiSearches.chunk,
    // Page "Claude Code": the Kimi models, with the bearer key of the same platform.
    messages: {
      origins: ['https://api.moonshot.cn', 'https://api.moonshot.ai'],
      path: '/anthropic',
      serves: (model) => model.startsWith('kimi-'),
    },
  }),
  settings: messagesSettings,
  form: {
    baseUrl: {
      help: {
        en: 'Blank for mainland China; https://api.moonshot.ai for the international platform, which has keys of its own.',
        zh: '留空表示中国大陆平台；国际平台请填写 https://api.moonshot.ai，两者的密钥不通用。',
      },
    },
  },
  // Errors often have a type and no code.
  classify: classTable(
    {
      'invalid-credentials': ['invalid_authentication_error', 'incorrect_api_key_error'],
      'not-found': ['resource_not_found_error'],
      upstream: ['server_error', 'unexpected_output'],
    },
    // Source: platform.kimi.com/docs/api/errors.
    {
      denied: ['permission_denied_error'],
      'insufficient-funds': ['exceeded_current_quota_error'],
      throttled: ['engine_overloaded_error', 'rate_limit_reached_error'],
    },
  ),
  fetchModels: openaiModelList(),
  async fetchBalance(channel, http, { httpOptions, options }) {
    const body = await askWithKey(http, channel, '/v1/users/me/balance', httpOptions)
    return readBalance(body, channel.baseUrl, options.get<number>('Price'))
  },
})
