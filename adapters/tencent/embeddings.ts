import { isObject, objectsOf, type Body, type PlainOperation } from '#core'
import { embeddingTexts, tokens } from '#adapter-kit'
import { actionHeaders } from './transport.ts'

export const embeddings: PlainOperation = {
  endpoint: ({ channel }) => ({
    url: `${channel.baseUrl}/`,
    headers: actionHeaders('GetEmbedding'),
  }),
  body: ({ input }) => ({ InputList: embeddingTexts(input) }),
  answer: (body, { requestedModel }) => fromEmbedding(body, requestedModel),
}

/** Every element says index 0; their places count. */
function fromEmbedding(body: unknown, model: string): Body {
  const response = isObject(body) && isObject(body.Response) ? body.Response : {}
  const data = objectsOf(response.Data)
  const usage = isObject(response.Usage) ? response.Usage : {}
  return {
    object: 'list',
    data: data.map((entry, index) => ({ object: 'embedding', index, embedding: entry.Embedding })),
    model,
    usage: {
      prompt_tokens: tokens(usage.PromptTokens),
      total_tokens: tokens(usage.TotalTokens),
    },
  }
}
