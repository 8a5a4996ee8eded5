// DeepInfra speaks the OpenAI dialect below /v1/openai. Source: deepinfra.com/docs/openai_api.
import { defineAdapter } from '#core'
import { openaiCompatible, openaiModelList, withoutDeveloperRole } from '#adapter-kit'

export default defineAdapter({
  id: 'deepinfra',
  channelTypes: { 1008: 'DeepInfra' },
  baseUrl: 'https://api.deepinfra.com',
  // Names as of the provider's catalogue (unconfirmed).
  models: [
    'moonshotai/Kimi-K2.5',
    'zai-org/GLM-4.6',
    'MiniMaxAI/MiniMax-M2.7',
    'meta-llama/Llama-3.3-70B-Instruct-Turbo',
    'deepseek-ai/DeepSeek-V3.1',
    'openai/gpt-oss-120b',
    'Qwen/Qwen3-235B-A22B-Instruct-2507',
    'BAAI/bge-m3',
  ],
  mark: 'deepinfra',
  picker: { aliases: ['Deep Infra'] },
  summary: 'Open chat and embedding models on DeepInfra.',
  operations: openaiCompatible({
    request: { chat: withoutDeveloperRole },
    paths: {
      chat: '/v1/openai/chat/completions',
      completions: '/v1/openai/completions',
      embeddings: '/v1/openai/embeddings',
    },
  }),
  fetchModels: openaiModelList('/v1/openai/models'),
})
