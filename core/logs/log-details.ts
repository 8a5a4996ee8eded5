// The `other` column of a log row: JSON text with what explains the row. Its keys are the wire's.
import type { Usage } from '../contract/neutral.ts'
import type { JsonObject } from '../contract/json.ts'
import type { PriceSnapshot, Receipt } from '../contract/services.ts'
import { wireStep } from '../billing/prices/price-steps.ts'
import { toolPriceOf } from '../billing/prices/tool-prices.ts'

/** One attempt of a call. */
export interface TriedFacts {
  channelId: number
  /** As the client would read it, or did. */
  status: number
  /** Undefined: it answered. */
  failureClass?: string
  /** In Unix milliseconds. */
  startedAtMs: number
  durationMs: number
}

export interface ConsumeFacts {
  price: PriceSnapshot
  usage: Usage
  receipt: Receipt
  /** What was held before the call, and by which rule. */
  reserved?: { units: number; rule: string } | undefined
  /** From start to the first output; undefined when there was none. */
  firstByteMs: number | undefined
  /** The attempts in their order. */
  tried: readonly TriedFacts[]
  /** Set when a channel mapped the model to another name. */
  upstreamModel?: string | undefined
  /** The client and the upstream spoke Anthropic's dialect. */
  isClaude?: boolean
  isRealtime?: boolean
  /** Request fields that a conversion could not say. */
  droppedParams?: readonly string[]
  /** What the adapter noted, e.g. reasoning_effort. Does not replace a key of ours. */
  notes?: JsonObject
}

export interface ErrorFacts {
  requestPath: string
  errorType: string
  errorCode: string | number | null
  statusCode: number
  channelId: number
  channelName: string
  channelType: number
  tried: readonly TriedFacts[]
  /** The upstream's own words without keys; for admins only. */
  upstreamMessage?: string | undefined
}

/** `frt` of a call that gave no output. */
const NO_FIRST_BYTE = -1000

/** `other` of a row of type 2. */
export function consumeDetails(facts: ConsumeFacts): string {
  const { price, usage, receipt } = facts
  return JSON.stringify({
    ...facts.notes,
    model_ratio: price.modelRatio,
    group_ratio: price.groupRatio,
    completion_ratio: price.completionRatio,
    // -1 says: by ratio. The console tests exactly that.
    model_price: price.mode === 'price' ? price.modelPrice : -1,
    ...(price.mode === 'price' && price.factor !== 1 ? { price_factor: price.factor } : {}),
    ...(receipt.step ? { price_step: wireStep(receipt.step) } : {}),
    cache_tokens: usage.cacheRead,
    cache_ratio: price.cacheRatio,
    frt: facts.firstByteMs === undefined ? NO_FIRST_BYTE : Math.round(facts.firstByteMs),
    ...cacheWrites(price, usage),
    ...media(price, usage, facts.isRealtime === true),
    ...tools(price, usage),
    ...(facts.upstreamModel === undefined
      ? {}
      : { is_model_mapped: true, upstream_model_name: facts.upstreamModel }),
    ...(facts.isClaude ? { claude: true } : {}),
    ...(usage.isEstimated ? { estimated: true } : {}),
    ...(facts.droppedParams?.length ? { dropped_params: facts.droppedParams } : {}),
    ...(receipt.rule === 'completed' ? {} : { end: receipt.rule }),
    receipt: {
      lines: receipt.lines,
      total: receipt.total,
      ...(facts.reserved === undefined ? {} : { reserved: facts.reserved }),
    },
    admin_info: adminInfo(facts.tried),
  })
}

/** `other` of a row of type 5. */
export function errorDetails(facts: ErrorFacts): string {
  return JSON.stringify({
    request_path: facts.requestPath,
    error_type: facts.errorType,
    error_code: facts.errorCode,
    status_code: facts.statusCode,
    channel_id: facts.channelId,
    channel_name: facts.channelName,
    channel_type: facts.channelType,
    admin_info: {
      ...adminInfo(facts.tried),
      ...(facts.upstreamMessage === undefined ? {} : { upstream_message: facts.upstreamMessage }),
    },
  })
}

/** What only admins see: the channels, and how each attempt went. */
function adminInfo(tried: readonly TriedFacts[]): JsonObject {
  return {
    use_channel: tried.map(({ channelId }) => String(channelId)),
    attempts: tried.map(({ channelId, failureClass, status, startedAtMs, durationMs }) => ({
      channel_id: channelId,
      status,
      ...(failureClass === undefined ? {} : { failure_class: failureClass }),
      started_at_ms: startedAtMs,
      duration_ms: durationMs,
    })),
  }
}

function cacheWrites(price: PriceSnapshot, usage: Usage): JsonObject {
  const written = usage.cacheWrite5m + usage.cacheWrite1h
  if (written === 0) return {}
  return {
    cache_creation_tokens: written,
    cache_creation_ratio: price.createCacheRatio,
    ...(usage.cacheWrite1h === 0
      ? {}
      : {
          cache_creation_tokens_5m: usage.cacheWrite5m,
          cache_creation_ratio_5m: price.createCacheRatio,
          cache_creation_tokens_1h: usage.cacheWrite1h,
          cache_creation_ratio_1h: (price.createCacheRatio * 16) / 10,
        }),
  }
}

function media(price: PriceSnapshot, usage: Usage, isRealtime: boolean): JsonObject {
  const hasAudio = price.hasAudioRatio && usage.inputAudio + usage.outputAudio > 0
  return {
    ...(isRealtime || hasAudio ? audio(price, usage, isRealtime) : {}),
    // `image_output` is the wire's name for image tokens of the input.
    ...(price.hasImageRatio && usage.inputImage > 0
      ? { image: true, image_ratio: price.imageRatio, image_output: usage.inputImage }
      : {}),
  }
}

function audio(price: PriceSnapshot, usage: Usage, isRealtime: boolean): JsonObject {
  return {
    ...(isRealtime ? { ws: true } : { audio: true }),
    audio_input: usage.inputAudio,
    audio_output: usage.outputAudio,
    text_input: Math.max(0, usage.input - usage.inputAudio),
    text_output: Math.max(0, usage.output - usage.outputAudio),
    audio_ratio: price.audioRatio,
    audio_completion_ratio: price.audioCompletionRatio,
  }
}

/** Tiers of a tool (`web_search_high`) stand under the tool's own keys. */
function tools(price: PriceSnapshot, usage: Usage): JsonObject {
  const found: JsonObject = {}
  for (const [tool, count] of Object.entries(usage.toolCalls ?? {})) {
    if (count <= 0) continue
    const usd = toolPriceOf(price.toolPrices, tool) ?? 0
    if (tool.startsWith('web_search') || tool === 'google_search') {
      found.web_search = true
      found.web_search_call_count = count
      found.web_search_price = usd
    } else if (tool.startsWith('file_search')) {
      found.file_search = true
      found.file_search_call_count = count
      found.file_search_price = usd
    } else if (tool.startsWith('image_generation')) {
      found.image_generation_call = true
      found.image_generation_call_price = usd
    }
  }
  if (usage.drawn && price.drawing) found.image_generation_model = price.drawing.name
  if (usage.svg && price.svg) found.svg_model = price.svg.name
  return found
}
