import { isObject, UpstreamError, type Body } from '#core'
import { editOutput, tokens, without } from '#adapter-kit'
import { eventFailure } from './failures.ts'

export function readAnswer(body: Body): Body {
  return withoutDummyUsage(editOutput(body, withJoinedText))
}

/** @throws UpstreamError for an `error` event, which holds no choices */
export function readChunk(body: Body): Body {
  if (!Array.isArray(body.choices) && typeof body.message === 'string')
    throw new UpstreamError(eventFailure(body))
  return readAnswer(body)
}

/** Workflows that do not count answer 1/1/1; such figures are no usage. */
function withoutDummyUsage(body: Body): Body {
  if (!isObject(body.usage)) return body
  const { prompt_tokens, completion_tokens, total_tokens } = body.usage
  const total = tokens(total_tokens) || tokens(prompt_tokens) + tokens(completion_tokens)
  return total <= 2 ? without(body, 'usage') : body
}

/** With `detail: true` the content is a list of parts `{type, text: {content}}`, of which the texts are the answer. */
function withJoinedText(message: Body): Body {
  return Array.isArray(message.content)
    ? { ...message, content: message.content.map(textOf).join('') }
    : message
}

function textOf(part: unknown): string {
  if (!isObject(part) || !isObject(part.text)) return ''
  return typeof part.text.content === 'string' ? part.text.content : ''
}
