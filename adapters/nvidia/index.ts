// NVIDIA NIM speaks the OpenAI dialect. Source: docs.api.nvidia.com.
import { defineAdapter } from '#core'
import { openaiCompatible, openaiModelList } from '#adapter-kit'
import { toNvidia } from './to-nvidia.ts'

export default defineAdapter({
  id: 'nvidia',
  channelTypes: { 1003: 'NVIDIA' },
  baseUrl: 'https://integrate.api.nvidia.com',
  // Names as of the provider's catalogue (unconfirmed).
  models: [
    'nvidia/nemotron-3-ultra-550b-a55b',
    'nvidia/nemotron-3-super-120b-a12b',
    'nvidia/nemotron-3-nano-30b-a3b',
    'nvidia/llama-3.3-nemotron-super-49b-v1.5',
    'moonshotai/kimi-k3',
    'deepseek-ai/deepseek-v4-pro-0813',
    'deepseek-ai/deepseek-v4-flash-0731',
    'openai/gpt-oss-120b',
    'nvidia/nv-embedqa-e5-v5',
  ],
  mark: 'nvidia',
  makes: ['nvidia', 'nemotron', 'nv-'],
  picker: { aliases: ['NIM', '英伟达', 'Nemotron'] },
  summary: 'Open chat and embedding models on NVIDIA NIM.',
  operations: openaiCompatible({
    request: {
      chat: toNvidia,
      // Retrieval models must be told whether the text asks or answers.
      embeddings: (body) =>
        body['input_type'] === undefined ? { ...body, input_type: 'passage' } : body,
    },
  }),
  // The end of the trial credits also answers 403.
  classify: ({ status, message }) =>
    status === 403 && /credit/i.test(message) ? 'insufficient-funds' : undefined,
  fetchModels: openaiModelList(),
})
