// Fireworks AI speaks the OpenAI dialect. Source: docs.fireworks.ai, page "OpenAI compatibility".
import { defineAdapter } from '#core'
import { messagesSettings, openaiCompatible, openaiModelList } from '#adapter-kit'
import { toFireworks } from './to-fireworks.ts'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'fireworks',
  channelTypes: { 1002: 'Fireworks' },
  baseUrl: 'https://api.fireworks.ai/inference',
  // Names as of the provider's catalogue (unconfirmed).
  models: [
    'accounts/fireworks/models/kimi-k3',
    'accounts/fireworks/models/deepseek-v4p1-flash',
    'accounts/fireworks/models/glm-5p3',
    'accounts/fireworks/models/glm-5p3-flash',
    'accounts/fireworks/models/minimax-m3',
    'accounts/fireworks/models/qwen3p8-max',
    'accounts/fireworks/models/gpt-oss-20b',
  ],
  mark: 'fireworks',
  makes: ['firefunction', 'firellava'],
  picker: { aliases: ['Fireworks AI'] },
  summary: 'Open chat and embedding models on Fireworks AI.',
  prices,
  operations: openaiCompatible({
    // Page "Decisions API".
    operations: ['completions', 'embeddings', 'decisions'],
    request: { chat: toFireworks },
    // Page "Anthropic compatibility".
    messages: { origins: ['https://api.fireworks.ai'], path: '/inference' },
  }),
  settings: messagesSettings,
  // Page "Inference error codes": a suspended account, but also a LoRA adapter that failed to load.
  classify: ({ status, message }) =>
    status === 412 && /suspended|account|billing/i.test(message) ? 'insufficient-funds' : undefined,
  fetchModels: openaiModelList(),
})
