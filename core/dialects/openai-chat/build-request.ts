import type { BuildTarget, ModelCapabilities } from '../../contract/dialect.ts'
import type { ChatRequest, ReasoningWish } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { effortOf, nearestEffort } from '../neutral/effort.ts'
import { compact } from '../neutral/fields.ts'
import { closesAllObjects, jsonInstruction, saysJson } from '../neutral/json-schema.ts'
import { withItems } from '../neutral/schema-items.ts'
import { lostInTurns, withModelTexts } from '../neutral/lost-in-turns.ts'
import {
  bareName,
  gptVersion,
  isOpenaiModel,
  isOpenaiReasoning,
  openaiEfforts,
  takesParallelSwitch,
  takesStops,
} from '../neutral/model-families.ts'
import { withObjectRoot } from '../neutral/object-root.ts'
import { openaiLimit } from '../neutral/output-limits.ts'
import { refuseNativeFields } from '../neutral/request-errors.ts'
import { asksForSpeech, isOpenaiVoice } from '../neutral/speech.ts'
import { cutHere } from '../neutral/stop-cutter.ts'
import { fitToolNames, OPENAI_NAMES } from '../neutral/tool-names.ts'
import { buildMessages } from './build-messages.ts'
import { buildTools } from './build-tools.ts'

const DEFAULT_VOICE = 'alloy'
/** More are refused (API reference, `stop`). */
const MOST_STOPS = 4

export function chatCapabilities(model: string): ModelCapabilities {
  const isOpenai = isOpenaiModel(model)
  const isReasoning = isOpenaiReasoning(model)
  return {
    reasoning: isOpenai && !isReasoning ? 'none' : 'effort',
    sampling: !isReasoning,
    jsonSchema: true,
    developerRole: isReasoning && !/^o1-(?:mini|preview)/.test(bareName(model)),
    // OpenAI's search models, whoever serves them.
    webSearch: model.includes('-search'),
  }
}

export function buildRequest(original: ChatRequest, target: BuildTarget): JsonObject {
  refuseNativeFields(original)
  const request = withObjectRoot(original, target.hints)
  const { upstreamModel: model } = target
  const can = { ...chatCapabilities(model), ...target.capabilities }
  const isOpenai = isOpenaiModel(model)
  const rename = fitToolNames(request, OPENAI_NAMES, target.hints)
  const effort = reasoningEffort(request, model, can)
  const format = responseFormat(request, can)
  const turns = withModelTexts(request.turns, (name) => target.dropped.push(name))
  const messages = buildMessages(
    { turns, system: [...request.system, ...format.system] },
    {
      systemRole: can.developerRole ? 'developer' : 'system',
      rename,
      keepsCacheMarks: keepsCacheMarks(model),
      keepsReasoning: !isOpenai,
      recallThought: target.recallThought,
    },
  )
  noteDropped(request, target, {
    isOpenai,
    takesEffort: effort !== undefined,
    searches: can.webSearch === true,
  })
  const takesSampling = can.sampling || (effort === 'none' && isOpenai)
  return compact({
    model,
    messages,
    [isOpenaiReasoning(model) ? 'max_completion_tokens' : 'max_tokens']: openaiLimit(
      request.maxTokens,
      model,
    ),
    ...sampling(request, target, takesSampling),
    ...buildTools(request, { model, searches: can.webSearch === true }, rename),
    response_format: format.field,
    reasoning_effort: effort,
    verbosity: takesVerbosity(model) ? request.verbosity : undefined,
    user: userField(request.user, model),
    metadata: request.metadata,
    service_tier: usualTier(request.serviceTier),
    prompt_cache_key: isOpenai ? request.promptCacheKey : undefined,
    ...speech(request, target),
    stream: request.stream ? true : undefined,
  })
}

function keepsCacheMarks(model: string): boolean {
  return bareName(model).includes('claude')
}

function reasoningEffort(
  request: ChatRequest,
  model: string,
  can: ModelCapabilities,
): string | undefined {
  if (can.reasoning === 'none') return undefined
  const effort = effortOf(request.reasoning)
  return effort === undefined ? undefined : nearestEffort(effort, openaiEfforts(model))
}

/** Applies the reasoning that a suffix of the model's name asks for to a passed-through body. */
export function editReasoning(
  body: JsonObject,
  wish: ReasoningWish,
  target: Pick<BuildTarget, 'upstreamModel' | 'capabilities'>,
): JsonObject {
  const can = { ...chatCapabilities(target.upstreamModel), ...target.capabilities }
  const effort = effortOf(wish)
  if (effort === undefined || can.reasoning === 'none') return body
  return { ...body, reasoning_effort: nearestEffort(effort, openaiEfforts(target.upstreamModel)) }
}

interface FormatField {
  field: JsonObject | undefined
  /** Asks for the format in words, for upstreams without the field. */
  system: ChatRequest['system']
}

function responseFormat(request: ChatRequest, can: ModelCapabilities): FormatField {
  const format = request.responseFormat
  switch (format?.type) {
    case 'json':
      return { field: { type: 'json_object' }, system: jsonSystem(request) }
    case 'schema':
      if (!can.jsonSchema) {
        const system = [{ kind: 'text' as const, text: jsonInstruction(format.schema) }]
        return { field: { type: 'json_object' }, system }
      }
      return { field: { type: 'json_schema', json_schema: schemaField(format) }, system: [] }
    default:
      return { field: undefined, system: [] }
  }
}

function jsonSystem(request: ChatRequest): ChatRequest['system'] {
  return saysJson(request) ? [] : [{ kind: 'text', text: jsonInstruction() }]
}

function schemaField(
  format: Extract<ChatRequest['responseFormat'], { type: 'schema' }>,
): JsonObject {
  const schema = withItems(format.schema)
  return compact({
    name: format.name ?? 'response',
    description: format.description,
    schema,
    strict: format.strict ?? (schema === format.schema && closesAllObjects(schema)),
  })
}

function sampling(request: ChatRequest, target: BuildTarget, takesSampling: boolean): JsonObject {
  const always = { stop: stopsOf(request, target), n: request.count, seed: request.seed }
  const refusable = {
    temperature: request.temperature,
    top_p: request.topP,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    logit_bias: request.logitBias,
    logprobs: request.logprobs,
    // Upstreams refuse this field without `logprobs`.
    top_logprobs: request.logprobs === true ? request.topLogprobs : undefined,
  }
  const topK = isOpenaiModel(target.upstreamModel) ? undefined : request.topK
  if (takesSampling) return { ...always, ...refusable, top_k: topK }
  for (const [name, value] of Object.entries(refusable)) {
    if (value !== undefined) target.dropped.push(name)
  }
  return always
}

function stopsOf({ stop, count = 1 }: ChatRequest, target: BuildTarget): string[] | undefined {
  if (stop === undefined) return undefined
  if (takesStops(target.upstreamModel)) {
    if (stop.length > MOST_STOPS) target.dropped.push('stop')
    return stop.slice(0, MOST_STOPS)
  }
  const stops = [...new Set(stop)].filter((text) => text !== '')
  if (count > 1) target.dropped.push('stop')
  else cutHere(stops, target)
  return undefined
}

function takesVerbosity(model: string): boolean {
  return (gptVersion(model)?.major ?? 0) >= 5
}

/** OpenAI refuses an identifier of more than 64 characters; Claude Code sends longer ones. */
export function userField(user: string | undefined, model: string): string | undefined {
  return user !== undefined && user.length > 64 && isOpenaiModel(model) ? undefined : user
}

/** A tier at the usual price, under OpenAI's name for it. */
export function usualTier(tier: string | undefined): string | undefined {
  if (tier === 'standard_only') return 'default'
  return isHarmlessTier(tier) ? tier : undefined
}

/** Whether a tier costs the usual price. Dearer tiers are the operator's choice, not the client's. */
export function isHarmlessTier(tier: string | undefined): boolean {
  return tier === undefined || tier === 'auto' || tier === 'default' || tier === 'standard_only'
}

/** A client of OpenAI names the voice and format of speech and asks for its text too. Gemini's clients do neither, and
 *  get raw samples. */
function speech(request: ChatRequest, { dropped, upstreamModel }: BuildTarget): JsonObject {
  const named = request.modalities?.map((name) => name.toLowerCase())
  const modalities = named?.some((name) => name !== 'text') ? named : undefined
  if (!asksForSpeech(request)) return { modalities, audio: request.audio }
  const { voice, format = 'pcm16' } = request.audio ?? {}
  const isForeign = isOpenaiModel(upstreamModel) && request.audio?.format === undefined
  const isUnknown = voice === undefined || (isForeign && !isOpenaiVoice(voice))
  if (isUnknown && voice !== undefined) dropped.push('speechConfig.voiceConfig')
  return {
    modalities: [...new Set(['text', ...(modalities ?? [])])],
    audio: { ...request.audio, voice: isUnknown ? DEFAULT_VOICE : voice, format },
  }
}

function noteDropped(
  request: ChatRequest,
  target: BuildTarget,
  taken: { isOpenai: boolean; takesEffort: boolean; searches: boolean },
): void {
  const { dropped, upstreamModel: model } = target
  const cacheMarks = keepsCacheMarks(model)
  dropped.push(...lostInTurns(request, { names: true, details: true, cacheMarks }))
  if (effortOf(request.reasoning) !== undefined && !taken.takesEffort) dropped.push('reasoning')
  if (request.topK !== undefined && taken.isOpenai) dropped.push('top_k')
  if (request.verbosity !== undefined && !takesVerbosity(model)) dropped.push('verbosity')
  if (request.promptCacheKey !== undefined && !taken.isOpenai) dropped.push('prompt_cache_key')
  if (!isHarmlessTier(request.serviceTier)) dropped.push('service_tier')
  if (request.parallelToolCalls === false && !takesParallelSwitch(model))
    dropped.push('parallel_tool_calls')
  if (request.store !== undefined) dropped.push('store')
  if (request.user !== userField(request.user, model)) dropped.push('user')
  if (request.safetySettings !== undefined) dropped.push('safetySettings')
  if (request.imageConfig !== undefined) dropped.push('imageConfig')
  if (request.webSearch !== undefined && !taken.searches) dropped.push('web_search_options')
  if (request.webSearch?.allowedDomains !== undefined) dropped.push('allowed_domains')
  if (request.webSearch?.blockedDomains !== undefined) dropped.push('blocked_domains')
}
