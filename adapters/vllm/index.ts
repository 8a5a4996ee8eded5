// vLLM, a self-hosted server with the OpenAI dialect. Source: docs.vllm.ai, page "OpenAI-Compatible Server".
import { defineAdapter, openaiCompatible, openaiModelList, jinaRerankAnswer } from '#core'

export default defineAdapter({
  id: 'vllm',
  channelTypes: { 1006: 'vLLM' },
  baseUrl: '',
  models: [],
  summary: 'A vLLM server of your own.',
  operations: openaiCompatible({
    operations: ['completions', 'embeddings', 'rerank', 'audio.transcriptions'],
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
