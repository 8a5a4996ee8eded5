// The router of Hugging Face speaks the OpenAI dialect. Source: huggingface.co/docs/inference-providers.
import { defineAdapter } from '#core'
import { openaiCompatible, openaiModelList, withoutDeveloperRole } from '#adapter-kit'

export default defineAdapter({
  id: 'huggingface',
  channelTypes: { 1004: 'Hugging Face' },
  baseUrl: 'https://router.huggingface.co',
  // Source: huggingface.co/models?inference_provider=baseten and the models' own pages. A name takes `:provider`, `:fastest` or `:cheapest` at its end.
  models: [
    'moonshotai/Kimi-K3',
    'deepseek-ai/DeepSeek-V4.1-Flash',
    'zai-org/GLM-5.3',
    'meta-llama/Llama-3.3-70B-Instruct',
    'openai/gpt-oss-120b',
  ],
  mark: 'huggingface',
  picker: { aliases: ['HF', '抱抱脸', 'Inference Providers'] },
  summary: 'Open models of many hosts behind the router of Hugging Face.',
  operations: openaiCompatible({
    operations: [],
    responses: true,
    request: { chat: withoutDeveloperRole },
  }),
  fetchModels: openaiModelList(),
})
