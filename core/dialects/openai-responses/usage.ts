import type { SvgUsage, Usage } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { tokens, usageOf } from '../neutral/usage.ts'

export function readUsage(
  { usage: value, tool_usage: ofTools }: JsonObject,
  toolCalls?: Record<string, number>,
  svg?: SvgUsage,
): Usage | undefined {
  if (!isObject(value)) return undefined
  const drawn = readDrawn(isObject(ofTools) ? ofTools.image_gen : undefined)
  const input = isObject(value.input_tokens_details) ? value.input_tokens_details : {}
  const output = isObject(value.output_tokens_details) ? value.output_tokens_details : {}
  const written = isObject(input.cache_write_tokens_details) ? input.cache_write_tokens_details : {}
  const longWritten = tokens(written.ttl_12h_tokens)
  const hasCalls = toolCalls !== undefined && Object.keys(toolCalls).length > 0
  return usageOf({
    input: tokens(value.input_tokens),
    cacheRead: tokens(input.cached_tokens),
    cacheWrite5m: tokens(input.cache_write_tokens),
    ...(longWritten === 0 ? {} : { cacheWrite12h: longWritten }),
    inputAudio: tokens(input.audio_tokens),
    inputImage: tokens(input.image_tokens),
    output: tokens(value.output_tokens),
    reasoning: tokens(output.reasoning_tokens),
    outputAudio: tokens(output.audio_tokens),
    outputImage: tokens(output.image_tokens),
    ...(hasCalls ? { toolCalls } : {}),
    ...(drawn ? { drawn } : {}),
    ...(svg ? { svg } : {}),
  })
}

/** What the tool `image_generation` used, which `usage` leaves out (API reference, `tool_usage`). */
function readDrawn(value: unknown): Usage | undefined {
  if (!isObject(value) || tokens(value.output_tokens) === 0) return undefined
  const input = isObject(value.input_tokens_details) ? value.input_tokens_details : {}
  const output = isObject(value.output_tokens_details) ? value.output_tokens_details : {}
  const cached = isObject(value.cached_tokens_details) ? value.cached_tokens_details : {}
  return usageOf({
    input: tokens(value.input_tokens),
    cacheRead: tokens(value.cached_tokens),
    // Cached tokens are part of both counts; they are charged at the price of the cache.
    inputImage: Math.max(0, tokens(input.image_tokens) - tokens(cached.cached_image_tokens)),
    output: tokens(value.output_tokens),
    outputImage: tokens(output.image_tokens),
  })
}

export function writeUsage(usage: Usage): JsonObject {
  return {
    input_tokens: usage.input,
    input_tokens_details: {
      cached_tokens: usage.cacheRead,
      cache_write_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
    },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.input + usage.output,
  }
}
