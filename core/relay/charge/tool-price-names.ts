// Names the price that a call pays for a tool, as far as the request decides it: a search by its form, engine and context
// size, a container by its memory.
import type { Usage } from '../../contract/neutral.ts'
import { isObject, objectsOf, type JsonObject } from '../../contract/json.ts'
import type { RelayCall } from '../call/relay-call.ts'

type Calls = Readonly<Record<string, number>>

const sizes: ReadonlySet<unknown> = new Set(['low', 'medium', 'high'])
/** Zhipu's, each with a price of its own (docs.bigmodel.cn, "Web search"; docs.z.ai). */
const engines: ReadonlySet<unknown> = new Set([
  'search_std',
  'search_pro',
  'search_pro_sogou',
  'search_pro_quark',
  'search-prime',
])
const memories: ReadonlySet<unknown> = new Set(['4g', '16g', '64g'])
/** These models search on every call. Those that do not report it search once (platform.openai.com). */
const alwaysSearching =
  /-search-preview(?:-\d{4}-\d{2}-\d{2})?$|^gpt-5-search-api|^sonar(?:-pro|-reasoning(?:-pro)?)?$/

/** The usage with the tools under the names of their prices.
 *  @returns the same object if there are none */
export function withToolPriceNames(
  usage: Usage,
  call: Pick<RelayCall, 'operation' | 'body'>,
  upstreamModel: string,
): Usage {
  const calls = callsOf(usage, call, upstreamModel)
  if (!calls) return usage
  const tools = toolsOf(call.body)
  const sort = suffix(engineOf(tools) ?? contextSizeOf(call.body, tools))
  const search = `web_search${formOf(tools, upstreamModel)}${sort}`
  const container = `code_interpreter${suffix(memoryOf(tools))}`
  const names = new Map([
    ['web_search', search],
    ['code_interpreter', container],
  ])
  const entries = Object.entries(calls)
    .filter(([, count]) => count > 0)
    .map(([tool, count]) => [names.get(tool) ?? tool, count])
  return { ...usage, toolCalls: Object.fromEntries(entries) as Record<string, number> }
}

function callsOf(
  { toolCalls, input, output }: Usage,
  { operation }: Pick<RelayCall, 'operation'>,
  upstreamModel: string,
): Calls | undefined {
  const isSearch = operation === 'chat' && alwaysSearching.test(upstreamModel)
  return isSearch && input + output > 0 ? { web_search: 1, ...toolCalls } : toolCalls
}

function toolsOf(body: JsonObject | undefined): JsonObject[] {
  const tools: unknown = body?.['tools']
  return objectsOf(tools)
}

/** OpenAI's older form of the search has a price of its own. */
function formOf(tools: readonly JsonObject[], upstreamModel: string): string {
  const isOlder =
    upstreamModel.includes('-search-preview') ||
    tools.some(({ type }) => typeof type === 'string' && type.startsWith('web_search_preview'))
  return isOlder ? '_preview' : ''
}

/** `web_search_options` of a chat, or the tool of a Responses call. */
function contextSizeOf(body: JsonObject | undefined, tools: readonly JsonObject[]): unknown {
  const places = [body?.['web_search_options'], ...tools].filter(isObject)
  return places.map((place) => place['search_context_size']).find((size) => sizes.has(size))
}

/** `search_pro` → `pro`. */
function engineOf(tools: readonly JsonObject[]): string | undefined {
  const named = tools.flatMap(({ type, web_search: search }) =>
    type === 'web_search' && isObject(search) ? [search['search_engine']] : [],
  )
  const engine = named.find((name) => engines.has(name))
  return typeof engine === 'string' ? engine.slice('search_'.length) : undefined
}

function memoryOf(tools: readonly JsonObject[]): unknown {
  const containers = tools
    .flatMap((tool) => [tool['container'], tool['environment']])
    .filter(isObject)
  return containers.map((container) => container['memory_limit']).find((size) => memories.has(size))
}

function suffix(tier: unknown): string {
  return typeof tier === 'string' ? `_${tier}` : ''
}
