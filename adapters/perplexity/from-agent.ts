// Searches and cached tokens are told under names of Perplexity's own.
import { isObject, objectsOf, type Body, type JsonObject } from '#core'
import { tokens } from '#adapter-kit'

export function fromAgent(body: Body): Body {
  if (!isObject(body) || !isObject(body['usage'])) return body
  const { usage } = body
  return { ...body, usage: withCache(usage), ...searchesOf(usage, body['output']) }
}

/** The last event has the answer in it; one that tells of a failure has the reason beside it. */
export function eventFromAgent(data: Body): Body {
  const { type, response, error } = data
  const answer = isObject(response) ? response : {}
  switch (type) {
    case 'response.completed':
    case 'response.incomplete':
      return { ...data, response: fromAgent(answer) }
    case 'response.failed':
    case 'response.cancelled': {
      const reason = answer['error'] ?? error
      return {
        ...data,
        type: 'response.failed',
        response: {
          ...answer,
          status: 'failed',
          ...(reason === undefined ? {} : { error: reason }),
        },
      }
    }
    default:
      return data
  }
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

/** As OpenAI tells how many searches it bills, and beside them the pages that were fetched. Where none is told there was none. */
function searchesOf({ tool_calls_details: details }: JsonObject, output: unknown): JsonObject {
  const hasSources = objectsOf(output).some(({ type }) => type === 'search_results')
  if (!isObject(details) && hasSources) return {}
  const { search_web: search, fetch_url: page } = isObject(details) ? details : {}
  return { tool_usage: { web_search: requestsOf(search), web_fetch: requestsOf(page) } }
}

function requestsOf(detail: unknown): JsonObject {
  return { num_requests: tokens(isObject(detail) ? detail['invocation'] : 0) }
}
