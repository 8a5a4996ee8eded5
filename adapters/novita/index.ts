// Novita speaks the OpenAI dialect. Source: novita.ai/docs/guides/llm-api.
import { defineAdapter } from '#core'
import { openaiCompatible, openaiModelList, withoutDeveloperRole } from '#adapter-kit'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'novita',
  channelTypes: { 1012: 'Novita' },
  baseUrl: 'https://api.novita.ai/openai',
  // Names as of the provider's catalogue (unconfirmed).
  models: [
    'moonshotai/kimi-k3',
    'deepseek/deepseek-v4-pro',
    'zai-org/glm-5.3',
    'minimax/minimax-m3',
    'meta-llama/llama-3.3-70b-instruct',
    'deepseek/deepseek-v3.1',
    'openai/gpt-oss-120b',
    'qwen/qwen3-235b-a22b-instruct-2507',
    'baai/bge-m3',
  ],
  mark: 'novita',
  summary: 'Open chat and embedding models on Novita AI.',
  prices,
  operations: openaiCompatible({ request: { chat: withoutDeveloperRole } }),
  classify: ({ message, status }) =>
    status === 403 && /not enough balance/i.test(message) ? 'insufficient-funds' : undefined,
  fetchModels: openaiModelList(),
})
