// SambaNova speaks the OpenAI dialect. Source: docs.sambanova.ai, page "OpenAI compatibility".
import { defineAdapter } from '#core'
import { openaiCompatible, openaiModelList, withoutDeveloperRole } from '#adapter-kit'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'sambanova',
  channelTypes: { 1010: 'SambaNova' },
  baseUrl: 'https://api.sambanova.ai',
  // Names as of the provider's catalogue (unconfirmed).
  models: [
    'Meta-Llama-3.3-70B-Instruct',
    'DeepSeek-V3.1',
    'gpt-oss-120b',
    'E5-Mistral-7B-Instruct',
  ],
  mark: 'sambanova',
  makes: ['samba'],
  summary: 'Open chat and embedding models on SambaNova.',
  prices,
  operations: openaiCompatible({ request: { chat: withoutDeveloperRole } }),
  fetchModels: openaiModelList(),
})
