// Source: cloud.google.com/vertex-ai/generative-ai/docs, page "Text embeddings API".
import { isObject, objectOf, type Body } from '#core'
import { compact, embeddingTexts } from '#adapter-kit'

export function toInstances({ input, dimensions, task_type }: Body): Body {
  return compact({
    instances: embeddingTexts(input).map((content) => compact({ content, task_type })),
    parameters: dimensions === undefined ? undefined : { outputDimensionality: dimensions },
  })
}

export function fromPredictions(body: unknown, model: string): Body {
  const vectors =
    isObject(body) && Array.isArray(body['predictions'])
      ? body['predictions'].filter(isObject).map(({ embeddings }) => objectOf(embeddings))
      : []
  const count = vectors.reduce(
    (sum, { statistics }) => sum + Number(objectOf(statistics)['token_count'] ?? 0),
    0,
  )
  return {
    object: 'list',
    model,
    data: vectors.map(({ values }, index) => ({ object: 'embedding', index, embedding: values })),
    ...(count > 0 ? { usage: { prompt_tokens: count, total_tokens: count } } : {}),
  }
}
