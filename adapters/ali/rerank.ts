import { isObject, type AttemptContext, type Body } from '#core'
import { compact, documentTexts, rerankAnswer, tokens } from '#adapter-kit'

export function toRerank(body: Body): Body {
  const { model, query, documents, top_n, return_documents, instruct } = body
  return {
    model,
    input: { query, documents: documentTexts(documents) },
    parameters: compact({ top_n, return_documents, instruct }),
  }
}

export function fromRerank(body: Body, { clientBody }: AttemptContext): Body {
  const results = isObject(body.output) ? body.output.results : undefined
  const inputTokens = isObject(body.usage) ? tokens(body.usage.total_tokens) : undefined
  return rerankAnswer({ results, inputTokens }, clientBody)
}
