import { isObject, type Body, type JsonObject } from '#core'
import { editOutput } from '#adapter-kit'

/** Thoughts stand in `reasoning`, or only in the typed parts beside it. Source: openrouter.ai/docs, page "Reasoning tokens". */
export function withReasoningText(body: Body): Body {
  return editOutput(body, (output) => {
    const { reasoning, reasoning_details: details } = output
    if (typeof reasoning === 'string' || !Array.isArray(details)) return output
    const text = details.filter(isObject).map(textOf).join('')
    return text === '' ? output : { ...output, reasoning: text }
  })
}

function textOf({ text, summary }: JsonObject): string {
  const shown = text ?? summary
  return typeof shown === 'string' ? shown : ''
}
