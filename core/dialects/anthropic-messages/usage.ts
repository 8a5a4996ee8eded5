// Anthropic counts cached input beside input_tokens; the internal input holds all of it.
import type { Usage } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { tokens, usageOf } from '../neutral/usage.ts'

const toolSuffix = '_requests'

export function readUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined
  const total = countsOf(value)
  const beside = Array.isArray(value.iterations) ? value.iterations.filter(isBeside) : []
  const known = beside.map(countsOf).filter(({ input, output }) => input + output > 0)
  return known.reduce(sumOf, total)
}

/** Calls that Anthropic made by itself beside the answer, such as summarising a long conversation or asking an advisor
 *  model. The totals do not include them (platform.claude.com, compaction, advisor tool). */
function isBeside(iteration: unknown): iteration is JsonObject {
  return (
    isObject(iteration) && (iteration.type === 'compaction' || iteration.type === 'advisor_message')
  )
}

function sumOf(one: Usage, other: Usage): Usage {
  return {
    ...one,
    input: one.input + other.input,
    // Each is a prompt of its own, whose price depends on its own length.
    longestPrompt: Math.max(one.longestPrompt ?? one.input, other.input),
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite5m: one.cacheWrite5m + other.cacheWrite5m,
    cacheWrite1h: one.cacheWrite1h + other.cacheWrite1h,
    output: one.output + other.output,
    reasoning: one.reasoning + other.reasoning,
  }
}

function countsOf(value: JsonObject): Usage {
  const written = tokens(value.cache_creation_input_tokens)
  const split = isObject(value.cache_creation) ? value.cache_creation : {}
  const hour = tokens(split.ephemeral_1h_input_tokens)
  const fiveMinutes = tokens(split.ephemeral_5m_input_tokens)
  // Without the split, all of it counts as the five-minute kind.
  const isSplit = hour + fiveMinutes > 0
  const cacheRead = tokens(value.cache_read_input_tokens)
  const details = isObject(value.output_tokens_details) ? value.output_tokens_details : {}
  const toolCalls = toolCallsOf(value.server_tool_use)
  return usageOf({
    input: tokens(value.input_tokens) + Math.max(written, hour + fiveMinutes) + cacheRead,
    cacheRead,
    cacheWrite5m: isSplit ? fiveMinutes : written,
    cacheWrite1h: hour,
    output: tokens(value.output_tokens),
    reasoning: tokens(details.thinking_tokens),
    ...(Object.keys(toolCalls).length === 0 ? {} : { toolCalls }),
  })
}

/** `web_search_requests` and similar counts, under the names of the tools. */
function toolCallsOf(reported: unknown): Record<string, number> {
  const counts = isObject(reported) ? Object.entries(reported) : []
  return Object.fromEntries(
    counts.flatMap(([key, count]) =>
      key.endsWith(toolSuffix) && tokens(count) > 0
        ? [[key.slice(0, -toolSuffix.length), tokens(count)]]
        : [],
    ),
  )
}

export function writeUsage(usage: Usage): JsonObject {
  const written = usage.cacheWrite5m + usage.cacheWrite1h
  return {
    input_tokens: Math.max(0, usage.input - usage.cacheRead - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cacheWrite5m,
      ephemeral_1h_input_tokens: usage.cacheWrite1h,
    },
    output_tokens: usage.output,
    output_tokens_details: usage.reasoning === 0 ? null : { thinking_tokens: usage.reasoning },
    server_tool_use: serverTools(usage),
    service_tier: null,
    inference_geo: null,
    speed: null,
  }
}

/** The part of the usage that message_delta repeats. */
export function writeDeltaUsage(usage: Usage): JsonObject {
  const full = writeUsage(usage)
  return {
    input_tokens: full.input_tokens,
    cache_creation_input_tokens: full.cache_creation_input_tokens,
    cache_read_input_tokens: full.cache_read_input_tokens,
    output_tokens: full.output_tokens,
    output_tokens_details: full.output_tokens_details,
    server_tool_use: full.server_tool_use,
  }
}

function serverTools(usage: Usage): JsonObject | null {
  const { web_search: searches = 0, web_fetch: pages = 0 } = usage.toolCalls ?? {}
  if (searches + pages === 0) return null
  return { web_search_requests: searches, web_fetch_requests: pages }
}
