// Hyperbolic speaks the OpenAI dialect. Source: docs.hyperbolic.xyz.
import { defineAdapter } from '#core'
import { openaiCompatible, openaiModelList, withoutDeveloperRole } from '#adapter-kit'

export default defineAdapter({
  id: 'hyperbolic',
  channelTypes: { 1013: 'Hyperbolic' },
  // Source: docs.litellm.ai/docs/providers/hyperbolic.
  baseUrl: 'https://api.hyperbolic.xyz',
  // Names as of the provider's catalogue (unconfirmed).
  models: [
    'meta-llama/Llama-3.3-70B-Instruct',
    'deepseek-ai/DeepSeek-V3-0324',
    'Qwen/Qwen3-235B-A22B',
    'openai/gpt-oss-120b',
  ],
  mark: 'hyperbolic',
  summary: 'Open chat models on Hyperbolic.',
  operations: openaiCompatible({ request: { chat: withoutDeveloperRole } }),
  fetchModels: openaiModelList(),
})
