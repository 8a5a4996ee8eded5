// Searches and cached tokens are told under names of Perplexity's own.
import { isObject, type Body, type JsonObject } from '#core'
import { tokens } from '#adapter-kit'

export function fromAgent(body: Body): Body {
  if (!isObject(body) || !isObject(body['usage'])) return body
  const { usage } = body
  return { ...body, usage: withCache(usage), ...searchesOf(usage) }
}

function withCache(usage: JsonObject): JsonObject {
  const { input_tokens_details: details } = usage
  if (!isObject(details) || details.cached_tokens !== undefined) return usage
  const { cache_read_input_tokens: cached_tokens, cache_creation_input_tokens: written } = details
  return {
    ...usage,
    input_tokens_details: {
      ...details,
      cached_tokens: tokens(cached_tokens),
      cache_write_tokens: tokens(written),
    },
  }
}

/** As OpenAI tells how many searches it bills. */
function searchesOf({ tool_calls_details: details }: JsonObject): JsonObject {
  const search = isObject(details) ? details.search_web : undefined
  return isObject(search)
    ? { tool_usage: { web_search: { num_requests: tokens(search.invocation) } } }
    : {}
}
