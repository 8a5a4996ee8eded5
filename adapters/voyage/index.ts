// Voyage AI: embeddings and rerankers, no chat. Source: docs.voyageai.com/reference.
import { defineAdapter, type AttemptContext, type Body } from '#core'
import { openaiCompatible, renamed, jinaRerankAnswer, documentTexts, without } from '#adapter-kit'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'voyage',
  channelTypes: { 1016: 'Voyage' },
  baseUrl: 'https://api.voyageai.com',
  models: [
    'voyage-4-large',
    'voyage-4',
    'voyage-4-lite',
    'voyage-code-4',
    'voyage-3.5',
    'voyage-3.5-lite',
    'voyage-3-large',
    'voyage-code-3',
    'rerank-3',
    'rerank-3-lite',
    'rerank-2.5',
    'rerank-2.5-lite',
  ],
  prices,
  mark: 'voyage',
  makes: ['voyage', 'rerank-2', 'rerank-3'],
  picker: { aliases: ['embeddings', 'rerank', '向量', '重排'] },
  summary: 'Embeddings and rerankers of Voyage AI.',
  ownedBy: 'voyageai',
  operations: openaiCompatible({
    chat: false,
    operations: ['embeddings', 'rerank'],
    request: { embeddings: toEmbeddings, rerank: toRerank },
    answer: { rerank: fromRerank },
  }),
})

/** Embeddings are requested as floats; core encodes them where the client wants base64. */
function toEmbeddings(body: Body): Body {
  return renamed(without(body, 'encoding_format', 'user'), 'dimensions', 'output_dimension')
}

function toRerank({ model, query, documents, top_n, truncation }: Body): Body {
  return {
    model,
    query,
    documents: documentTexts(documents),
    ...(top_n === undefined ? {} : { top_k: top_n }),
    ...(truncation === undefined ? {} : { truncation }),
  }
}

function fromRerank({ data, usage }: Body, context: AttemptContext): Body {
  return jinaRerankAnswer({ results: data, usage }, context)
}
