// DeepInfra speaks the OpenAI dialect below /v1/openai. Source: deepinfra.com/docs/openai_api.
import { defineAdapter } from '#core'
import { openaiCompatible, openaiModelList, withoutDeveloperRole } from '#adapter-kit'

export default defineAdapter({
  id: 'deepinfra',
  channelTypes: { 1008: 'DeepInfra' },
  baseUrl: 'https://api.deepinfra.com',
  // Names as of deepinfra.com/pricing, which litellm 1.110.2 repeats (unconfirmed).
  models: [
    'moonshotai/Kimi-K3',
    'deepseek-ai/DeepSeek-V4.1-Flash',
    'deepseek-ai/DeepSeek-V4-Pro-0813',
    'zai-org/GLM-5.2',
    'MiniMaxAI/MiniMax-M3',
    'Qwen/Qwen3.8-Max',
    'meta-llama/Llama-3.3-70B-Instruct-Turbo',
    'openai/gpt-oss-120b',
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
