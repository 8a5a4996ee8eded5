// Baseten speaks the OpenAI dialect. Source: docs.baseten.co, page "Model APIs".
import { defineAdapter } from '#core'
import { openaiCompatible, openaiModelList, withoutDeveloperRole } from '#adapter-kit'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'baseten',
  channelTypes: { 1014: 'Baseten' },
  // Source: docs.litellm.ai/docs/providers/baseten, "Model API".
  baseUrl: 'https://inference.baseten.co',
  // Names as of the provider's catalogue (unconfirmed).
  models: [
    'deepseek-ai/DeepSeek-V3.1',
    'moonshotai/Kimi-K2-Instruct-0905',
    'openai/gpt-oss-120b',
    'Qwen/Qwen3-Coder-480B-A35B-Instruct',
  ],
  prices,
  mark: 'baseten',
  picker: { aliases: ['Truss'] },
  summary: 'Open chat models on Baseten.',
  operations: openaiCompatible({ request: { chat: withoutDeveloperRole } }),
  fetchModels: openaiModelList(),
})
