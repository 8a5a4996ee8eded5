import type { Usage } from '../../contract/neutral.ts'
import { isObject, objectOf, type JsonObject } from '../../contract/json.ts'
import type { PriceSnapshot } from '../../contract/services.ts'
import { audioSeconds } from '../../billing/sound/audio-seconds.ts'
import { transcriptionTokens } from '../../billing/counting/audio-tokens.ts'
import { isPlausible } from '../../billing/counting/plausible-output.ts'
import { TokenCounter } from '../../billing/counting/count-tokens.ts'
import { countPrompt, type CountedCall } from '../chat/count-prompt.ts'
import { imagePriceOf } from '../charge/price-call.ts'
import type { RelayCall } from '../call/relay-call.ts'
import { codecs } from '../../dialects/index.ts'
import {
  boundedUsage,
  noUsage,
  tokens,
  usageOf as wholeUsage,
} from '../../dialects/neutral/usage.ts'
import { readSvgUsage } from '../../dialects/openai-responses/svg-usage.ts'
import { isOfMedia, isOfPictures, isOfTranscripts } from '../call/operation-kinds.ts'

/** The usage of an answer in OpenAI's shape: what its adapter found, else its `usage`, else our count. Without a plausible count of tokens nothing
 *  was found, since no prompt is empty. */
export async function operationUsage(
  call: CountedCall,
  body: JsonObject | undefined,
  found: Partial<Usage> | undefined,
): Promise<Usage> {
  const usage = await tokensOf(call, body, found)
  const svg = readSvgUsage(body?.['svg_usage'])
  return svg ? { ...usage, svg } : usage
}

async function tokensOf(
  call: CountedCall,
  body: JsonObject | undefined,
  found: Partial<Usage> | undefined,
): Promise<Usage> {
  const own = found && boundedUsage(wholeUsage(found))
  if (own && own.input + own.output > 0) return own
  const reported = isObject(body?.['usage']) ? usageOf(body['usage']) : undefined
  // Tokens of the text alone do not tell how long the sound was.
  if (isOfTranscripts(call.operation) && !(reported && reported.input > 0)) {
    const input = transcriptionTokens(await secondsOf(call, body))
    return { ...noUsage, input: input, inputAudio: input, isEstimated: true }
  }
  if (!reported || reported.input + reported.output === 0)
    return { ...noUsage, input: countPrompt(call), isEstimated: true }
  const usage = withOutput(call, body, reported)
  // Some upstreams of media count what was made alone.
  return usage.input === 0 && !isOfMedia(call.operation)
    ? { ...usage, input: countPrompt(call), isEstimated: true }
    : usage
}

/** If the upstream reports no tokens, or hardly any, for the text that it sent, that text is counted instead. */
function withOutput(call: CountedCall, body: JsonObject | undefined, reported: Usage): Usage {
  if (call.operation !== 'responses.compact' || !body) return reported
  const counter = new TokenCounter(call.requestedModel)
  for (const event of codecs['openai-responses'].parseAnswer(body)) counter.addEvent(event)
  const delivered = { chars: counter.chars, tokens: () => counter.textTotal() }
  const isSilent = reported.output === 0 && !counter.isEmpty
  return !isSilent && isPlausible(reported, delivered)
    ? reported
    : { ...reported, output: counter.total(), isEstimated: true }
}

/** Reads both spellings: prompt/completion (chat family) and input/output (images, audio). */
export function usageOf(usage: JsonObject): Usage {
  const inputDetails = objectOf(
    usage['prompt_tokens_details'] ?? usage['input_tokens_details'] ?? usage['input_token_details'],
  )
  const outputDetails = objectOf(
    usage['completion_tokens_details'] ??
      usage['output_tokens_details'] ??
      usage['output_token_details'],
  )
  const input = tokens(usage['prompt_tokens']) || tokens(usage['input_tokens'])
  const output = tokens(usage['completion_tokens']) || tokens(usage['output_tokens'])
  return wholeUsage({
    // Rerankers and some embedders report only a total.
    input: input === 0 && output === 0 ? tokens(usage['total_tokens']) : input,
    output,
    cacheRead: tokens(inputDetails['cached_tokens']),
    cacheWrite5m: tokens(inputDetails['cache_write_tokens']),
    cacheWrite12h: tokens(objectOf(inputDetails['cache_write_tokens_details'])['ttl_12h_tokens']),
    inputAudio: uncached(inputDetails, 'audio_tokens'),
    inputImage: uncached(inputDetails, 'image_tokens'),
    outputAudio: tokens(outputDetails['audio_tokens']),
    outputImage: tokens(outputDetails['image_tokens']),
    reasoning: tokens(outputDetails['reasoning_tokens']),
  })
}

/** Cached tokens are part of both counts; they are charged at the price of the cache. */
function uncached(details: JsonObject, kind: string): number {
  const cached = objectOf(details['cached_tokens_details'])
  return Math.max(0, tokens(details[kind]) - tokens(cached[kind]))
}

/** Pictures are charged by the number that really came, whether more or fewer were asked for; by tokens if the model reports them. */
export function settledPrice(
  call: RelayCall,
  body: JsonObject,
  usage: Usage,
): { price: PriceSnapshot; details: string[] } {
  if (!isOfPictures(call.operation)) return { price: call.price, details: [] }
  const came = Array.isArray(body['data']) ? body['data'].length : 0
  if (!usage.isEstimated && usage.output > 0 && call.unitPrice.mode === 'ratio')
    return { price: call.unitPrice, details: [] }
  return came === 0
    ? { price: call.price, details: [] }
    : { price: imagePriceOf(call, call.unitPrice, came), details: [`${came} image(s)`] }
}

/** Eleven days; a longer duration cannot be true. */
const MOST_SECONDS = 1_000_000

/** The length that the answer states, else what the frames of the file say. */
async function secondsOf(call: CountedCall, body: JsonObject | undefined): Promise<number> {
  const usage = objectOf(body?.['usage'])
  for (const value of [usage['seconds'], body?.['duration']]) {
    const seconds = Number(value)
    if (seconds > 0 && seconds <= MOST_SECONDS) return seconds
  }
  const file = call.form?.find((part) => part.name === 'file' && 'data' in part)
  return file && 'data' in file ? audioSeconds(file.data) : 0
}
