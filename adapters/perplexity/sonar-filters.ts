// Sonar's chat had the filters of a search beside the messages; the Agent API has them in the tool, under the same names.
// Source: perplexityai/api-platform-developers, skill migrate-sonar-to-agent-api, references/request-mapping.md.
import { isObject, type AttemptContext, type JsonObject } from '#core'
import { compact } from '#adapter-kit'

const FILTERS = [
  'search_domain_filter',
  'search_recency_filter',
  'search_after_date_filter',
  'search_before_date_filter',
  'last_updated_after_filter',
  'last_updated_before_filter',
] as const

type Client = Pick<AttemptContext, 'clientBody' | 'clientDialect'>

/** Filters that the client wrote as Sonar's chat had them; those of its own tool win. */
export function sonarFilters({ clientBody, clientDialect }: Client): JsonObject {
  const body = clientDialect === 'openai-chat' ? (clientBody ?? {}) : {}
  return compact(Object.fromEntries(FILTERS.map((name) => [name, body[name] ?? undefined])))
}

export function withFilters(tool: JsonObject, filters: JsonObject): JsonObject {
  if (tool['type'] !== 'web_search' || Object.keys(filters).length === 0) return tool
  const own = isObject(tool['filters']) ? tool['filters'] : {}
  return { ...tool, filters: { ...filters, ...own } }
}
