import { isObject, type AttemptContext, type Body } from '#core'
import { rerankAnswer, tokens } from '#adapter-kit'

/** The counts stand in `meta.tokens`, in older versions in `tokens`. */
export function fromRerank(body: Body, { clientBody }: AttemptContext): Body {
  const counts = isObject(body.meta) && isObject(body.meta.tokens) ? body.meta.tokens : body.tokens
  const { input_tokens: input, output_tokens: output } = isObject(counts) ? counts : {}
  return rerankAnswer(
    { results: body.results, inputTokens: tokens(input), outputTokens: tokens(output) },
    clientBody,
  )
}
