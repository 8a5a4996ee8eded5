// The router of Hugging Face speaks the OpenAI dialect. Source: huggingface.co/docs/inference-providers.
import { defineAdapter } from '#core'
import { openaiCompatible, openaiModelList, withoutDeveloperRole } from '#adapter-kit'

export default defineAdapter({
  id: 'huggingface',
  channelTypes: { 1004: 'Hugging Face' },
  baseUrl: 'https://router.huggingface.co',
  // A name takes `:provider`, `:fastest` or `:cheapest` at its end.
  models: [
    'meta-llama/Llama-3.3-70B-Instruct',
    'deepseek-ai/DeepSeek-V3.1',
    'openai/gpt-oss-120b',
    'Qwen/Qwen3-235B-A22B-Instruct-2507',
    'moonshotai/Kimi-K2-Instruct-0905',
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
