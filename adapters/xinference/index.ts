// Xinference, a self-hosted server with the OpenAI dialect. Source: inference.readthedocs.io, pages "Rerank" and "Model abilities".
import {
  defineAdapter,
  isObject,
  type AttemptContext,
  type Body,
  type FailureClass,
  type RawFailure,
} from '#core'
import {
  openaiCompatible,
  openaiModelList,
  renamed,
  rerankAnswer,
  withoutDeveloperRole,
} from '#adapter-kit'

export default defineAdapter({
  id: 'xinference',
  channelTypes: { 47: 'Xinference' },
  baseUrl: '',
  // Model uids are the operator's own; these are the usual ones.
  models: [
    'bge-reranker-v2-m3',
    'jina-reranker-v2',
    'bge-m3',
    'bge-large-zh-v1.5',
    'qwen2.5-instruct',
    'qwen3',
    'deepseek-r1-distill-qwen',
  ],
  mark: 'xinference',
  picker: { section: 'self-hosted', aliases: ['local', '本地', 'Xorbits'] },
  summary: 'Self-hosted Xinference: chat, embeddings, rerank, images and audio of open models.',
  operations: openaiCompatible({
    operations: [
      'completions',
      'embeddings',
      'rerank',
      'images.generations',
      'audio.speech',
      'audio.transcriptions',
      'audio.translations',
    ],
    request: {
      chat: withoutDeveloperRole,
      rerank: (body) => renamed(body, 'max_chunk_per_doc', 'max_chunks_per_doc'),
    },
    answer: { rerank: fromRerank },
  }),
  form: {
    baseUrl: {
      required: true,
      help: { en: 'For example http://host:9997.', zh: '例如 http://host:9997。' },
    },
  },
  classify,
  fetchModels: openaiModelList(),
})

/** Documents come as plain strings from older servers, as objects from newer ones. */
function fromRerank(body: Body, { clientBody }: AttemptContext): Body {
  const meta = isObject(body['meta']) ? body['meta'] : {}
  const tokens = isObject(meta['tokens']) ? meta['tokens']['input_tokens'] : undefined
  return rerankAnswer(
    { results: body['results'], inputTokens: typeof tokens === 'number' ? tokens : undefined },
    clientBody,
  )
}

function classify({ status, message }: RawFailure): FailureClass | undefined {
  if (status === 400 && /model not found/i.test(message)) return 'not-found'
  return status === 403 ? 'invalid-credentials' : undefined
}
