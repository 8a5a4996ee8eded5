// vLLM, a self-hosted server with the OpenAI dialect. Source: docs.vllm.ai, page "OpenAI-Compatible Server".
import { defineAdapter } from '#core'
import {
  openaiCompatible,
  openaiModelList,
  jinaRerankAnswer,
  withoutDeveloperRole,
} from '#adapter-kit'

export default defineAdapter({
  id: 'vllm',
  channelTypes: { 1006: 'vLLM' },
  baseUrl: '',
  models: [],
  mark: 'vllm',
  picker: { section: 'self-hosted', aliases: ['local', '本地', 'GPU'] },
  summary: 'A vLLM server of your own.',
  operations: openaiCompatible({
    operations: ['completions', 'embeddings', 'rerank', 'audio.transcriptions'],
    // The chat templates of many models refuse or drop roles that they do not know.
    request: { chat: withoutDeveloperRole },
    answer: { rerank: jinaRerankAnswer },
  }),
  form: {
    baseUrl: {
      required: true,
      help: { en: 'For example http://host:8000.', zh: '例如 http://host:8000。' },
    },
  },
  fetchModels: openaiModelList(),
})
