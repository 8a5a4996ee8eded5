// Jina AI: embeddings and rerank, no chat. Source: api.jina.ai/docs.
import { defineAdapter, type Body } from '#core'
import { openaiCompatible, renamed, jinaRerankAnswer, withoutRefused } from '#adapter-kit'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'jina',
  channelTypes: { 38: 'Jina' },
  baseUrl: 'https://api.jina.ai',
  models: [
    'jina-embeddings-v4',
    'jina-embeddings-v3',
    'jina-embeddings-v2-base-en',
    'jina-embeddings-v2-base-zh',
    'jina-embeddings-v2-base-code',
    'jina-clip-v2',
    'jina-clip-v1',
    'jina-colbert-v2',
    'jina-reranker-v3.5',
    'jina-reranker-m0',
    'jina-reranker-v3', // (unconfirmed)
    'jina-reranker-v2-base-multilingual',
    'jina-reranker-v1-base-en',
  ],
  mark: 'jina',
  makes: ['jina'],
  picker: { aliases: ['embeddings', 'rerank', '向量', '重排'] },
  summary: 'Embeddings and rerankers of Jina AI.',
  prices,
  ownedBy: 'jina-ai',
  operations: openaiCompatible({
    chat: false,
    operations: ['embeddings', 'rerank'],
    request: {
      // Every field that it does not know is refused.
      embeddings: (body, { drop }) =>
        withoutRefused(renamed(body, 'encoding_format', 'embedding_type'), ['user'], drop),
      rerank: withReturnDocuments,
    },
    answer: { rerank: jinaRerankAnswer },
  }),
  // 402 is an empty balance and 403 a closed account (unconfirmed).
  classify: ({ status }) => (status === 403 ? 'invalid-credentials' : undefined),
})

/** Jina's default is true, ours false. */
function withReturnDocuments(body: Body): Body {
  return { ...body, return_documents: body['return_documents'] === true }
}
