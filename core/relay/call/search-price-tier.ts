// Which price of a tool a call is to pay: OpenAI sells a web search by the size of context that the request asked for.
import type { Usage } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import type { RelayCall } from './relay-call.ts'

const sizes: ReadonlySet<unknown> = new Set(['low', 'medium', 'high'])
/** These search on every call and do not tell it. */
const alwaysSearching = /-search-preview(?:-\d{4}-\d{2}-\d{2})?$/

/** The usage with its tools under the names of their prices; the same object where there are none. */
export function withSearchPriceTier(
  usage: Usage,
  call: Pick<RelayCall, 'operation' | 'body'>,
  upstreamModel: string,
): Usage {
  const calls = callsOf(usage, call, upstreamModel)
  const count = calls?.['web_search']
  if (!calls || !count) return usage
  const size = call.body && contextSizeOf(call.body)
  if (!size) return { ...usage, toolCalls: calls }
  const { web_search: _plain, ...others } = calls
  return { ...usage, toolCalls: { ...others, [`web_search_${size}`]: count } }
}

function callsOf(
  { toolCalls, input, output }: Usage,
  { operation }: Pick<RelayCall, 'operation'>,
  upstreamModel: string,
): Readonly<Record<string, number>> | undefined {
  const isSearch = operation === 'chat' && alwaysSearching.test(upstreamModel)
  return isSearch && input + output > 0 ? { web_search: 1, ...toolCalls } : toolCalls
}

/** `web_search_options` of a chat, or the tool of a Responses call. */
function contextSizeOf(body: JsonObject): string | undefined {
  const tools: unknown[] = Array.isArray(body['tools']) ? body['tools'] : []
  for (const place of [body['web_search_options'], ...tools]) {
    const size = isObject(place) ? place['search_context_size'] : undefined
    if (sizes.has(size)) return size as string
  }
  return undefined
}
