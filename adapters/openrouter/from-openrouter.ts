import { isObject, type AttemptContext, type Body, type JsonObject } from '#core'
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

/** The web plugin searches once in each call that names it, and so does a model with `:online` behind its name; the usage does not tell of it. Source:
 *  openrouter.ai/docs, pages "Web search" and "Server tools". */
export function withSearch(body: Body, context: AttemptContext): Body {
  const { usage } = body
  if (!isObject(usage) || isObject(usage['server_tool_use']) || !searches(context)) return body
  return { ...body, usage: { ...usage, server_tool_use: { web_search_requests: 1 } } }
}

function searches({ model, clientBody }: AttemptContext): boolean {
  const plugins: unknown = clientBody?.['plugins']
  const isWeb = (plugin: unknown) =>
    isObject(plugin) && plugin['id'] === 'web' && plugin['enabled'] !== false
  return model.endsWith(':online') || (Array.isArray(plugins) && plugins.some(isWeb))
}
