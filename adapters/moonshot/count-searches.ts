// Kimi charges each call of its own function `$web_search`, and its usage does not tell of them. Source: platform.kimi.ai/docs/pricing/tools.
import { isObject, type AttemptContext, type Body, type JsonObject } from '#core'

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

function searchesIn(body: Body, key: 'message' | 'delta'): number {
  const calls = choicesOf(body).flatMap(({ [key]: output }) => callsOf(output))
  return calls.filter((call) => isObject(call) && isSearch(call)).length
}

function choicesOf({ choices }: Body): JsonObject[] {
  return Array.isArray(choices) ? choices.filter(isObject) : []
}

function callsOf(output: unknown): unknown[] {
  const calls = isObject(output) ? output['tool_calls'] : undefined
  return Array.isArray(calls) ? calls : []
}

function isSearch({ function: target }: JsonObject): boolean {
  return isObject(target) && target['name'] === '$web_search'
}

/** The usage of a stream may stand on a choice instead. */
function withCount(body: Body, count: number): Body {
  if (count === 0) return body
  if (isObject(body['usage'])) return { ...body, usage: counted(body['usage'], count) }
  if (!choicesOf(body).some(({ usage }) => isObject(usage))) return body
  const choices = choicesOf(body).map((choice) =>
    isObject(choice['usage']) ? { ...choice, usage: counted(choice['usage'], count) } : choice,
  )
  return { ...body, choices }
}

function counted(usage: JsonObject, count: number): JsonObject {
  return { ...usage, server_tool_use: { web_search_requests: count } }
}
