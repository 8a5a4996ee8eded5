// One call embeds all texts, even a single one. Source: ai.google.dev/api/embeddings.
import { isObject, objectOf, objectsOf, type Body } from '#core'
import { compact, embeddingTexts } from '#adapter-kit'

export function toBatch({ input, dimensions, task_type: taskType }: Body, model: string): Body {
  return {
    requests: embeddingTexts(input).map((text) =>
      compact({
        model: `models/${model}`,
        content: { parts: [{ text }] },
        outputDimensionality: dimensions,
        taskType,
      }),
    ),
  }
}

/** Older models report no usage; core counts the texts then. */
export function fromBatch(body: unknown, model: string): Body {
  const entries = objectsOf(objectOf(body)['embeddings'])
  return {
    object: 'list',
    model,
    data: entries.map(({ values }, index) => ({ object: 'embedding', index, embedding: values })),
    ...usageOf(body),
  }
}

function usageOf(body: unknown): Body {
  const usage = isObject(body) ? body['usageMetadata'] : undefined
  const tokens = isObject(usage) ? usage['promptTokenCount'] : undefined
  return typeof tokens === 'number' && tokens > 0
    ? { usage: { prompt_tokens: tokens, total_tokens: tokens } }
    : {}
}
