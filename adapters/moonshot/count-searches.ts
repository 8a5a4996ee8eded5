// Kimi charges each call of its own function `$web_search`, and its usage does not tell of them. Source: platform.kimi.ai/docs/pricing/tools.
import { isObject, objectsOf, type AttemptContext, type Body, type JsonObject } from '#core'
import { editList } from '#adapter-kit'

/** A stream names its calls long before its usage. */
const inStreams = new WeakMap<AttemptContext, number>()

export function withSearches(body: Body): Body {
  return withCount(body, searchesIn(body, 'message'))
}

export function withSearchesOfStream(chunk: Body, context: AttemptContext): Body {
  const count = (inStreams.get(context) ?? 0) + searchesIn(chunk, 'delta')
  if (count > 0) inStreams.set(context, count)
  return withCount(chunk, count)
}

function searchesIn({ choices }: Body, key: 'message' | 'delta'): number {
  const calls = objectsOf(choices).flatMap(({ [key]: output }) =>
    objectsOf(isObject(output) ? output['tool_calls'] : undefined),
  )
  return calls.filter(isSearch).length
}

function isSearch({ function: target }: JsonObject): boolean {
  return isObject(target) && target['name'] === '$web_search'
}

/** The usage of a stream may stand on a choice instead. */
function withCount(body: Body, count: number): Body {
  if (count === 0) return body
  const withUsage = (object: JsonObject): JsonObject =>
    isObject(object['usage']) ? { ...object, usage: counted(object['usage'], count) } : object
  if (isObject(body['usage'])) return withUsage(body)
  return editList(body, 'choices', withUsage)
}

function counted(usage: JsonObject, count: number): JsonObject {
  return { ...usage, server_tool_use: { web_search_requests: count } }
}
