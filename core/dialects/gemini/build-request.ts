import type { BuildTarget } from '../../contract/dialect.ts'
import type { ChatRequest, Part } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { effortOf } from '../neutral/effort.ts'
import { compact } from '../neutral/fields.ts'
import { noteCitations } from '../neutral/citations.ts'
import { describedSchema, jsonInstruction } from '../neutral/json-schema.ts'
import { lostInTurns } from '../neutral/lost-in-turns.ts'
import { geminiTakesPenalties, geminiVersion } from '../neutral/model-families.ts'
import { isHarmlessTier } from '../openai-chat/build-request.ts'
import { geminiLimit } from '../neutral/output-limits.ts'
import { refuseNativeFields } from '../neutral/request-errors.ts'
import { asksForSpeech, checkSampleFormat, isOpenaiVoice } from '../neutral/speech.ts'
import { toGeminiSchema } from './reduce-schema.ts'
import { fitToolNames, GEMINI_NAMES } from '../neutral/tool-names.ts'
import { buildContents } from './build-contents.ts'
import { buildThinking } from './build-thinking.ts'
import { buildTools, wholeSchema } from './build-tools.ts'

const MOST_STOPS = 5

const CATEGORIES = [
  'HARM_CATEGORY_HARASSMENT',
  'HARM_CATEGORY_HATE_SPEECH',
  'HARM_CATEGORY_SEXUALLY_EXPLICIT',
  'HARM_CATEGORY_DANGEROUS_CONTENT',
  'HARM_CATEGORY_CIVIC_INTEGRITY',
] as const

export function buildRequest(request: ChatRequest, target: BuildTarget): JsonObject {
  refuseNativeFields(request)
  noteCitations(request, target.hints)
  const rename = fitToolNames(request, GEMINI_NAMES, target.hints)
  const tools = buildTools(request, target, rename)
  const asksInWords = tools['tools'] !== undefined && refusesJsonBesideTools(target.upstreamModel)
  const system = [...request.system, ...(asksInWords ? jsonInWords(request) : [])].flatMap(
    (part) => (part.kind === 'text' ? [{ text: part.text }] : []),
  )
  const thinking = buildThinking(request.reasoning, request.maxTokens, target)
  noteDropped(request, target, thinking !== undefined)
  const config = compact({
    ...sampling(request, target),
    ...(asksInWords ? {} : formatFields(request, target)),
    ...modalityFields(request, target),
    thinkingConfig: thinking,
  })
  return compact({
    contents: buildContents(request, target, rename),
    systemInstruction: system.length === 0 ? undefined : { parts: system },
    ...tools,
    generationConfig: Object.keys(config).length === 0 ? undefined : config,
    safetySettings: request.safetySettings ?? safetySettings(target),
  })
}

function sampling(request: ChatRequest, { upstreamModel }: BuildTarget): JsonObject {
  return {
    temperature: request.temperature,
    topP: request.topP,
    topK: request.topK,
    maxOutputTokens: geminiLimit(request.maxTokens, upstreamModel),
    stopSequences: request.stop?.slice(0, MOST_STOPS),
    candidateCount: request.count === 1 ? undefined : request.count,
    seed: request.seed,
    ...(geminiTakesPenalties(upstreamModel) ? penalties(request) : {}),
    responseLogprobs: request.logprobs,
    logprobs: request.logprobs === true ? request.topLogprobs || undefined : undefined,
  }
}

function penalties({ presencePenalty, frequencyPenalty }: ChatRequest): JsonObject {
  return { presencePenalty, frequencyPenalty }
}

function refusesJsonBesideTools(model: string): boolean {
  return (geminiVersion(model) ?? 0) < 3
}

function jsonInWords({ responseFormat: format }: ChatRequest): Part[] {
  if (format === undefined || format.type === 'text') return []
  const text = jsonInstruction(format.type === 'schema' ? describedSchema(format) : undefined)
  return [{ kind: 'text', text }]
}

function formatFields(request: ChatRequest, target: BuildTarget): JsonObject {
  const format = request.responseFormat
  if (format === undefined || format.type === 'text') return {}
  if (format.type === 'json') return { responseMimeType: 'application/json' }
  const schema = describedSchema(format)
  const plain = toGeminiSchema(schema)
  return {
    responseMimeType: format.plain === true ? 'text/x.enum' : 'application/json',
    ...(plain === undefined
      ? { responseJsonSchema: wholeSchema(schema, target.upstreamModel, 'response_format') }
      : { responseSchema: plain }),
  }
}

function modalityFields(request: ChatRequest, target: BuildTarget): JsonObject {
  const modalities = request.modalities?.map((name) => name.toUpperCase())
  const drawing = target.option<string[] | undefined>('gemini.supported_imagine_models') ?? []
  const draws = modalities?.includes('IMAGE') === true || drawing.includes(target.upstreamModel)
  const speaks = asksForSpeech(request)
  if (speaks) checkSampleFormat(request)
  return {
    responseModalities: draws ? ['TEXT', 'IMAGE'] : speaks ? ['AUDIO'] : undefined,
    speechConfig: speaks ? speechConfig(request.audio, target) : undefined,
    imageConfig: request.imageConfig,
  }
}

/** Gemini refuses the names of OpenAI's voices, so the model uses its default voice. */
function speechConfig(
  audio: JsonObject | undefined,
  { dropped }: BuildTarget,
): JsonObject | undefined {
  const voice = audio?.voice
  if (voice === undefined) return undefined
  if (typeof voice !== 'string' || isOpenaiVoice(voice)) {
    dropped.push('audio.voice')
    return undefined
  }
  return { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } } }
}

/** One entry per category: its own threshold, else `default`, else OFF. */
function safetySettings(target: BuildTarget): JsonObject[] {
  const option = target.option<unknown>('gemini.safety_settings')
  const thresholds = isObject(option) ? option : {}
  return CATEGORIES.map((category) => ({
    category,
    threshold: thresholds[category] ?? thresholds.default ?? 'OFF',
  }))
}

function noteDropped(request: ChatRequest, target: BuildTarget, isThinking: boolean): void {
  const wantsEffort = effortOf(request.reasoning) !== undefined
  const takesPenalties = geminiTakesPenalties(target.upstreamModel)
  const search = target.dropped.includes('web_search_options') ? undefined : request.webSearch
  const { maxUses, contextSize = 'medium' } = search ?? {}
  const lost: Record<string, unknown> = {
    presence_penalty: takesPenalties ? undefined : request.presencePenalty || undefined,
    frequency_penalty: takesPenalties ? undefined : request.frequencyPenalty || undefined,
    logit_bias: request.logitBias,
    user: request.user,
    metadata: request.metadata,
    store: request.store,
    verbosity: request.verbosity,
    prompt_cache_key: request.promptCacheKey,
    service_tier: isHarmlessTier(request.serviceTier) ? undefined : request.serviceTier,
    parallel_tool_calls: request.parallelToolCalls === false ? false : undefined,
    reasoning: wantsEffort && !isThinking ? true : undefined,
    stop: (request.stop?.length ?? 0) > MOST_STOPS ? true : undefined,
    allowed_domains: request.webSearch?.allowedDomains,
    blocked_domains: request.webSearch?.blockedDomains,
    max_uses: maxUses,
    search_context_size:
      maxUses === undefined && contextSize !== 'medium' ? contextSize : undefined,
    user_location: search?.userLocation,
    'tools.strict': request.tools.some(({ strict }) => strict) || undefined,
  }
  for (const [name, value] of Object.entries(lost))
    if (value !== undefined) target.dropped.push(name)
  target.dropped.push(...lostInTurns(request, { failures: true }))
}
