// The tool `web_search` of OpenAI's clients as the Agent API has it: a domain that is left out stands among those that are searched, with a `-` before
// it, and a place has no time zone.
// Source: perplexityai/api-platform-developers, skill migrate-sonar-to-agent-api, references/request-mapping.md; the SDK perplexityai.
import { isObject, type JsonObject } from '#core'
import { compact } from '#adapter-kit'
import { FILTERS } from './sonar-filters.ts'

const PLACE = ['city', 'country', 'latitude', 'longitude', 'region'] as const
const OWN = [
  'search_type',
  'search_context_size',
  'max_results',
  'max_tokens',
  'max_tokens_per_page',
] as const

export function searchOf(tool: JsonObject): JsonObject {
  const { user_location: place, filters } = tool
  return compact({
    type: 'web_search',
    ...picked(tool, OWN),
    user_location: isObject(place) ? filled(picked(place, PLACE)) : undefined,
    filters: isObject(filters) ? filled(filtersOf(filters)) : undefined,
  })
}

function filtersOf(filters: JsonObject): JsonObject {
  const { allowed_domains: allowed, blocked_domains: blocked } = filters
  const domains = [...namesOf(allowed), ...namesOf(blocked).map((domain) => `-${domain}`)]
  const own = domains.length === 0 ? {} : { search_domain_filter: domains }
  return { ...own, ...picked(filters, FILTERS) }
}

function namesOf(domains: unknown): string[] {
  return Array.isArray(domains) ? domains.filter((name) => typeof name === 'string') : []
}

function picked(object: JsonObject, names: readonly string[]): JsonObject {
  return compact(Object.fromEntries(names.map((name) => [name, object[name] ?? undefined])))
}

function filled(object: JsonObject): JsonObject | undefined {
  return Object.keys(object).length === 0 ? undefined : object
}
