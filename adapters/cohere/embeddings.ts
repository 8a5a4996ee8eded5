// Source: docs.cohere.com/reference/embed.
import { isObject, type Body, type JsonObject } from '#core'
import { compact, embeddingTexts } from '#adapter-kit'

export function toEmbed({ model, input, dimensions, input_type: kind, truncate }: Body): Body {
  return compact({
    model,
    texts: embeddingTexts(input),
    // Models from v3 on must be told what the vectors are for.
    input_type: kind ?? 'search_document',
    embedding_types: ['float'],
    output_dimension: dimensions,
    truncate,
  })
}

export function fromEmbed(body: unknown, model: string): Body {
  const answer: JsonObject = isObject(body) ? body : {}
  const byType = isObject(answer['embeddings']) ? answer['embeddings']['float'] : undefined
  const vectors: unknown[] = Array.isArray(byType) ? byType : []
  const meta = isObject(answer['meta']) ? answer['meta'] : {}
  const units = isObject(meta['billed_units']) ? meta['billed_units']['input_tokens'] : undefined
  return {
    object: 'list',
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    model,
    ...(typeof units === 'number' ? { usage: { prompt_tokens: units, total_tokens: units } } : {}),
  }
}
