// Fireworks AI speaks the OpenAI dialect. Source: docs.fireworks.ai, page "OpenAI compatibility".
import { defineAdapter } from '#core'
import {
  messagesSettings,
  openaiCompatible,
  openaiModelList,
  withoutDeveloperRole,
} from '#adapter-kit'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'fireworks',
  channelTypes: { 1002: 'Fireworks' },
  baseUrl: 'https://api.fireworks.ai/inference',
  // Names as of the provider's catalogue (unconfirmed).
  models: [
    'accounts/fireworks/models/llama-v3p3-70b-instruct',
    'accounts/fireworks/models/deepseek-v3p1',
    'accounts/fireworks/models/gpt-oss-120b',
    'accounts/fireworks/models/kimi-k2-instruct-0905',
    'accounts/fireworks/models/qwen3-235b-a22b',
  ],
  mark: 'fireworks',
  makes: ['firefunction', 'firellava'],
  picker: { aliases: ['Fireworks AI'] },
  summary: 'Open chat and embedding models on Fireworks AI.',
  prices,
  operations: openaiCompatible({
    request: { chat: withoutDeveloperRole },
    // Page "Anthropic compatibility".
    messages: { origins: ['https://api.fireworks.ai'], path: '/inference' },
  }),
  settings: messagesSettings,
  // Page "Inference error codes": a suspended account, but also an adapter that failed to load.
  classify: ({ status, message }) =>
    status === 412 && /suspended|account|billing/i.test(message) ? 'insufficient-funds' : undefined,
  fetchModels: openaiModelList(),
})
