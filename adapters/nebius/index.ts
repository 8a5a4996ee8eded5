// Nebius speaks the OpenAI dialect. Source: docs.tokenfactory.nebius.com/api-reference/introduction.
import { defineAdapter } from '#core'
import { openaiCompatible, openaiModelList, withoutDeveloperRole } from '#adapter-kit'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'nebius',
  channelTypes: { 1011: 'Nebius' },
  baseUrl: 'https://api.tokenfactory.nebius.com',
  // Names as of the provider's catalogue (unconfirmed).
  models: [
    'meta-llama/Llama-3.3-70B-Instruct',
    'deepseek-ai/DeepSeek-V3-0324',
    'openai/gpt-oss-120b',
    'Qwen/Qwen3-235B-A22B',
    'BAAI/bge-multilingual-gemma2',
  ],
  mark: 'nebius',
  picker: { aliases: ['Token Factory'] },
  summary: 'Open chat and embedding models on Nebius Token Factory.',
  prices,
  operations: openaiCompatible({ request: { chat: withoutDeveloperRole } }),
  fetchModels: openaiModelList(),
})
