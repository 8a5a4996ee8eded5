import type { AttemptContext, Body } from '#core'
import { embeddingTexts, tokens } from '#adapter-kit'

/** Stored texts and questions are embedded differently; OpenAI's clients cannot say which, and store more than they ask. */
export function toEmbeddings(body: Body): Body {
  return {
    model: body.model,
    texts: embeddingTexts(body.input),
    type: body.type ?? 'db',
  }
}

export function fromEmbeddings(body: Body, { requestedModel }: AttemptContext): Body {
  const vectors = Array.isArray(body.vectors) ? (body.vectors as unknown[]) : []
  const total = tokens(body.total_tokens)
  return {
    object: 'list',
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    model: requestedModel,
    usage: { prompt_tokens: total, total_tokens: total },
  }
}
