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
    'moonshotai/Kimi-K3',
    'deepseek-ai/DeepSeek-V4-Pro-0813',
    'zai-org/GLM-5.3',
    'meta-llama/Llama-3.3-70B-Instruct',
    'openai/gpt-oss-120b',
    'Qwen/Qwen3-Embedding-8B',
    'BAAI/bge-multilingual-gemma2',
  ],
  mark: 'nebius',
  picker: { aliases: ['Token Factory'] },
  summary: 'Open chat and embedding models on Nebius Token Factory.',
  prices,
  operations: openaiCompatible({ request: { chat: withoutDeveloperRole } }),
  fetchModels: openaiModelList(),
})
