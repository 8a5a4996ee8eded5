// Cohere, API v2. Source: docs.cohere.com, API reference, page "Errors".
import { defineAdapter, isObject, type AttemptContext, type Body, type Endpoint } from '#core'
import { askWithKey, compact, documentTexts, joinUrl, namesIn, rerankAnswer } from '#adapter-kit'
import { fromEmbed, toEmbed } from './embeddings.ts'
import { readAnswer, readRefusal } from './from-cohere.ts'
import { cohereModels } from './models.ts'
import { CohereStreamReader } from './stream.ts'
import { toCohere } from './to-cohere.ts'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'cohere',
  channelTypes: { 34: 'Cohere' },
  baseUrl: 'https://api.cohere.com',
  models: cohereModels,
  prices,
  mark: 'cohere',
  makes: [
    'command',
    'c4ai',
    'aya',
    'cohere',
    'embed-v',
    'embed-english',
    'embed-multilingual',
    'rerank-english',
    'rerank-multilingual',
    'rerank-v',
  ],
  picker: { aliases: ['Command', 'Aya', 'Rerank'] },
  summary: 'Command chat models, embeddings and rerankers of Cohere.',
  operations: {
    chat: {
      send(request, context) {
        const { url, headers } = endpoint('/v2/chat', context)
        return {
          method: 'POST',
          url,
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(toCohere(request, context)),
        }
      },
      readAnswer,
      streamReader: (_context, request) => new CohereStreamReader(request),
    },
    embeddings: {
      endpoint: (context) => endpoint('/v2/embed', context),
      body: toEmbed,
      answer: (body, { model }) => fromEmbed(body, model),
    },
    rerank: {
      endpoint: (context) => endpoint('/v2/rerank', context),
      body: toRerank,
      // Search units are no tokens: core counts them.
      answer: (body, { clientBody }) =>
        rerankAnswer({ results: isObject(body) ? body['results'] : [] }, clientBody),
    },
  },
  readError: (status, body) => (status === 200 ? readRefusal(body) : undefined),
  // The API describes 403 as it does 401, and 498 as a request or answer that contains a deny-listed token. Source:
  // github.com/cohere-ai/cohere-developer-experience, the OpenAPI document.
  classify: ({ status }) =>
    status === 403 ? 'invalid-credentials' : status === 498 ? 'content' : undefined,
  async fetchModels({ baseUrl, key }, http, options) {
    const channel = { baseUrl: baseUrl.replace(/\/v2$/, ''), key }
    const { models } = await askWithKey(http, channel, '/v1/models?page_size=1000', options)
    return namesIn(models, 'name')
  },
})

function endpoint(path: string, { channel }: AttemptContext): Endpoint {
  return {
    url: joinUrl(channel.baseUrl, path),
    headers: { authorization: `Bearer ${channel.key}` },
  }
}

function toRerank({ model, query, documents, top_n, max_tokens_per_doc }: Body): Body {
  return compact({ model, query, documents: documentTexts(documents), top_n, max_tokens_per_doc })
}
