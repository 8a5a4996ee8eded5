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
    'moonshotai/Kimi-K3',
    'deepseek-ai/DeepSeek-V4-Pro-0813',
    'deepseek-ai/DeepSeek-V4.1-Flash',
    'zai-org/GLM-5.3',
    'openai/gpt-oss-120b',
  ],
  prices,
  mark: 'baseten',
  picker: { aliases: ['Truss'] },
  summary: 'Open chat models on Baseten.',
  operations: openaiCompatible({ request: { chat: withoutDeveloperRole } }),
  fetchModels: openaiModelList(),
})
