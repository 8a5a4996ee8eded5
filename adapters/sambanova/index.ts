// SambaNova speaks the OpenAI dialect. Source: docs.sambanova.ai, page "OpenAI compatibility".
import { defineAdapter } from '#core'
import { openaiCompatible, openaiModelList, withoutDeveloperRole } from '#adapter-kit'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'sambanova',
  channelTypes: { 1010: 'SambaNova' },
  baseUrl: 'https://api.sambanova.ai',
  // Source: docs.sambanova.ai/docs/en/models/sambacloud-models; M3, V3.2 and Gemma are previews there.
  models: [
    'MiniMax-M3',
    'DeepSeek-V3.2',
    'DeepSeek-V3.1',
    'MiniMax-M2.7',
    'Meta-Llama-3.3-70B-Instruct',
    'gpt-oss-120b',
    'gemma-4-31B-it',
  ],
  mark: 'sambanova',
  makes: ['samba'],
  summary: 'Open chat and embedding models on SambaNova.',
  prices,
  operations: openaiCompatible({ request: { chat: withoutDeveloperRole } }),
  fetchModels: openaiModelList(),
})
