// Sonar's chat had the filters of a search beside the messages; the Agent API has them in the tool, under the same names.
// Source: perplexityai/api-platform-developers, skill migrate-sonar-to-agent-api, references/request-mapping.md.
import { isObject, type AttemptContext, type JsonObject } from '#core'
import { compact } from '#adapter-kit'

export const FILTERS = [
  'search_domain_filter',
  'search_recency_filter',
  'search_after_date_filter',
  'search_before_date_filter',
  'last_updated_after_filter',
  'last_updated_before_filter',
] as const

type Client = Pick<AttemptContext, 'clientBody' | 'clientDialect' | 'carry'>

/** What the client wrote of searches as Sonar's chat had it. */
export interface SonarSearch {
  readonly isDisabled: boolean
  readonly filters: JsonObject
  /** Fields of the tool itself. */
  readonly own: JsonObject
}

export function sonarSearch({ clientBody, clientDialect, carry }: Client): SonarSearch {
  const body = clientDialect === 'openai-chat' ? (clientBody ?? {}) : {}
  for (const name of [...FILTERS, 'num_search_results', 'disable_search']) carry(name)
  return {
    isDisabled: body['disable_search'] === true,
    filters: compact(Object.fromEntries(FILTERS.map((name) => [name, body[name] ?? undefined]))),
    own: compact({ max_results: body['num_search_results'] ?? undefined }),
  }
}

/** The search with the client's wishes; those of its own tool win. */
export function withWishes(tool: JsonObject, { filters, own }: SonarSearch): JsonObject {
  if (tool['type'] !== 'web_search') return tool
  const made = { ...own, ...tool }
  if (Object.keys(filters).length === 0) return made
  const ofTool = isObject(tool['filters']) ? tool['filters'] : {}
  return { ...made, filters: { ...filters, ...ofTool } }
}
