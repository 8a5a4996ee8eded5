// Jina AI: embeddings and rerank, no chat. Source: api.jina.ai/docs and its api.jina.ai/openapi.json, which names models and error codes.
import { defineAdapter, type Body } from '#core'
import {
  classTable,
  jinaRerankAnswer,
  openaiCompatible,
  renamed,
  withoutRefused,
} from '#adapter-kit'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'jina',
  channelTypes: { 38: 'Jina' },
  baseUrl: 'https://api.jina.ai',
  models: [
    // Source of the fifth generation: jina.ai/models, the page of each ("Available via … Jina API").
    'jina-embeddings-v5-text-small',
    'jina-embeddings-v5-text-nano',
    'jina-embeddings-v5-omni-small',
    'jina-embeddings-v5-omni-nano',
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
    'jina-reranker-v3',
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
  // An empty balance answers 403, and a model that it does not have 400.
  classify: classTable({
    'insufficient-funds': ['AUTHZ_INSUFFICIENT_BALANCE'],
    'not-found': ['INPUT_MODEL_NOT_FOUND'],
  }),
})

/** Jina's default is true, ours false. */
function withReturnDocuments(body: Body): Body {
  return { ...body, return_documents: body['return_documents'] === true }
}
