// One call embeds all texts, even a single one. Source: ai.google.dev/api/embeddings.
import { isObject, type Body } from '#core'
import { compact } from '#adapter-kit'

export function toBatch({ input, dimensions, task_type: taskType }: Body, model: string): Body {
  const texts: unknown[] = Array.isArray(input) ? input : [input]
  return {
    requests: texts.map((text) =>
      compact({
        model: `models/${model}`,
        content: { parts: [{ text }] },
        outputDimensionality: dimensions,
        taskType,
      }),
    ),
  }
}

/** The answer has no usage, so core counts the texts. */
export function fromBatch(body: unknown, model: string): Body {
  const entries =
    isObject(body) && Array.isArray(body['embeddings']) ? body['embeddings'].filter(isObject) : []
  return {
    object: 'list',
    model,
    data: entries.map(({ values }, index) => ({ object: 'embedding', index, embedding: values })),
  }
}
