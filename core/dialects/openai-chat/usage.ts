import type { Usage } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { tokens, usageOf } from '../neutral/usage.ts'

/** Reads a usage object. One that tells searches alone has no tokens.
 *  @returns undefined if all of its counts are 0, since it then reports nothing */
export function readUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined
  const input = tokens(value.prompt_tokens)
  const output = tokens(value.completion_tokens)
  const searches = searchesOf(value)
  if (input === 0 && output === 0 && searches === 0) return undefined
  const prompt = isObject(value.prompt_tokens_details) ? value.prompt_tokens_details : {}
  const completion = isObject(value.completion_tokens_details)
    ? value.completion_tokens_details
    : {}
  return usageOf({
    input,
    // DeepSeek and Moonshot send this count outside of the details.
    cacheRead: tokens(prompt.cached_tokens ?? value.prompt_cache_hit_tokens ?? value.cached_tokens),
    cacheWrite5m: tokens(prompt.cache_write_tokens ?? prompt.cached_creation_tokens),
    inputAudio: tokens(prompt.audio_tokens),
    inputImage: tokens(prompt.image_tokens),
    output,
    reasoning: tokens(completion.reasoning_tokens),
    outputAudio: tokens(completion.audio_tokens),
    outputImage: tokens(completion.image_tokens),
    ...(searches === 0 ? {} : { toolCalls: { web_search: searches } }),
  })
}

/** Whether a usage object is one for clients: with tokens. */
export function tellsTokens(value: unknown): value is JsonObject {
  const usage = readUsage(value)
  return usage !== undefined && usage.input + usage.output > 0
}

/** Perplexity reports the searches of a deep research, OpenRouter those of its tools. */
function searchesOf({ num_search_queries: queries, server_tool_use: run }: JsonObject): number {
  return tokens(queries) || (isObject(run) ? tokens(run.web_search_requests) : 0)
}

export function writeUsage(usage: Usage): JsonObject {
  const written = usage.cacheWrite5m + usage.cacheWrite1h
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead,
      audio_tokens: usage.inputAudio,
      // The newer official name, and the one that clients of one-api read.
      ...(written === 0 ? {} : { cache_write_tokens: written, cached_creation_tokens: written }),
      ...(usage.inputImage === 0 ? {} : { image_tokens: usage.inputImage }),
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: usage.outputAudio,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
      ...(usage.outputImage === 0 ? {} : { image_tokens: usage.outputImage }),
    },
  }
}

/** Servers may put usage elsewhere: on a choice (older Moonshot) or in `x_groq`. */
export function findUsage(data: JsonObject): unknown {
  if (isObject(data.usage)) return data.usage
  const first = Array.isArray(data.choices) ? (data.choices[0] as unknown) : undefined
  if (isObject(first) && isObject(first.usage)) return first.usage
  return isObject(data.x_groq) ? data.x_groq.usage : undefined
}
