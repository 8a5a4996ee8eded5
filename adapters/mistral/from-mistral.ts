// Reasoning models answer with typed content: thinking, text and references. OpenAI's clients read texts.
import { isObject, UpstreamError, type Body, type JsonObject } from '#core'
import { editList, editOutput, withCachedTokens } from '#adapter-kit'

const withCounts = withCachedTokens('num_cached_tokens')

/** For whole answers and for chunks.
 *  @throws UpstreamError if generating failed */
export function fromMistral(body: Body): Body {
  return withCounts(withFinishReason(editOutput(body, withTexts)))
}

function withTexts(output: JsonObject): JsonObject {
  const { content, ...rest } = output
  if (!Array.isArray(content)) return output
  const parts = content.filter(isObject)
  const thinking = parts.filter(({ type }) => type === 'thinking').flatMap(thoughtsOf)
  const text = parts.filter(({ type }) => type === 'text').map(textOf)
  return {
    ...rest,
    content: text.join(''),
    ...(thinking.length === 0 ? {} : { reasoning_content: thinking.join('') }),
  }
}

function thoughtsOf({ thinking }: JsonObject): string[] {
  if (typeof thinking === 'string') return [thinking]
  return Array.isArray(thinking) ? thinking.filter(isObject).map(textOf) : []
}

function textOf({ text }: JsonObject): string {
  return typeof text === 'string' ? text : ''
}

function withFinishReason(body: Body): Body {
  return editList(body, 'choices', (choice) => {
    switch (choice['finish_reason']) {
      case 'model_length':
        return { ...choice, finish_reason: 'length' }
      case 'error':
        throw new UpstreamError(
          {
            status: 200,
            message: 'Mistral ended the answer with an error.',
            code: 'error',
            isKnownShape: true,
          },
          'upstream',
        )
      default:
        return choice
    }
  })
}
