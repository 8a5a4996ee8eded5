// A request of Google's Interactions API as one of generateContent, which says the same in other words. Source: ai.google.dev, "Migrating to the
// Interactions API".
import { isObject, objectOf, type JsonObject } from '../../contract/json.ts'
import { compact } from '../neutral/fields.ts'
import { unsupportedParameter } from '../neutral/request-errors.ts'
import { toContents } from './steps.ts'

/** What only the provider itself has: agents, their surroundings, and work that goes on after the answer. */
const refused = ['agent', 'environment', 'webhook_config', 'continuation_token'] as const

const read: ReadonlySet<string> = new Set(
  [
    'model input stream store previous_interaction_id background system_instruction tools',
    'generation_config response_format response_modalities response_mime_type cached_content',
    'labels safety_settings service_tier',
  ].flatMap((names) => names.split(' ')),
)
const readOfConfig: ReadonlySet<string> = new Set(
  [
    'max_output_tokens seed stop_sequences temperature top_p thinking_level thinking_summaries',
    'tool_choice image_config speech_config',
  ].flatMap((names) => names.split(' ')),
)

/** The fields of a request that nothing here stands for. */
export function lostFields(body: JsonObject): string[] {
  const config = objectOf(body['generation_config'])
  return [
    ...Object.keys(body).filter((name) => !read.has(name)),
    ...Object.keys(config)
      .filter((name) => !readOfConfig.has(name))
      .map((name) => `generation_config.${name}`),
  ]
}

/** @param steps of the conversation so far
 *  @throws AppError request.invalid, request.unsupported_parameter, with the field as the client wrote it */
export function toGemini(body: JsonObject, steps: readonly JsonObject[]): JsonObject {
  for (const field of refused)
    if (body[field] !== undefined && body[field] !== null)
      throw unsupportedParameter(field, 'is not offered here')
  if (body['background'] === true)
    throw unsupportedParameter('background', 'is not offered here: wait for the answer')
  const { system_instruction: system, safety_settings: safety } = body
  return compact({
    contents: toContents(steps),
    systemInstruction: typeof system === 'string' ? { parts: [{ text: system }] } : undefined,
    tools: toTools(body['tools']),
    toolConfig: toToolConfig(objectOf(body['generation_config'])['tool_choice']),
    generationConfig: toConfig(body),
    cachedContent: body['cached_content'],
    labels: body['labels'],
    safetySettings: Array.isArray(safety) ? safety.map(toSafety) : undefined,
    serviceTier: body['service_tier'],
  })
}

const hosted: Readonly<Record<string, string>> = {
  google_search: 'googleSearch',
  google_maps: 'googleMaps',
  code_execution: 'codeExecution',
  url_context: 'urlContext',
}

function toTools(tools: unknown): JsonObject[] | undefined {
  if (!Array.isArray(tools) || tools.length === 0) return undefined
  const functions: JsonObject[] = []
  const others: JsonObject[] = []
  for (const [place, tool] of tools.entries()) {
    const { type, name, description, parameters } = objectOf(tool)
    if (type === 'function')
      functions.push(compact({ name, description, parametersJsonSchema: parameters }))
    else if (typeof type === 'string' && Object.hasOwn(hosted, type))
      others.push({ [hosted[type] ?? type]: {} })
    else
      throw unsupportedParameter(
        `tools[${place}].type`,
        `is one of function, ${Object.keys(hosted).join(', ')} here`,
      )
  }
  return [...(functions.length > 0 ? [{ functionDeclarations: functions }] : []), ...others]
}

/** `auto`, `any`, `none`, `validated`, or these for some of the tools. */
function toToolConfig(choice: unknown): JsonObject | undefined {
  if (typeof choice === 'string') return { functionCallingConfig: { mode: choice.toUpperCase() } }
  const { mode, tools } = objectOf(objectOf(choice)['allowed_tools'])
  if (typeof mode !== 'string' && !Array.isArray(tools)) return undefined
  return {
    functionCallingConfig: compact({
      mode: typeof mode === 'string' ? mode.toUpperCase() : 'ANY',
      allowedFunctionNames: tools,
    }),
  }
}

function toConfig(body: JsonObject): JsonObject | undefined {
  const own = objectOf(body['generation_config'])
  const config = compact({
    maxOutputTokens: own['max_output_tokens'],
    seed: own['seed'],
    stopSequences: own['stop_sequences'],
    temperature: own['temperature'],
    topP: own['top_p'],
    thinkingConfig: toThinking(own),
    imageConfig: toImageConfig(own['image_config']),
    speechConfig: toSpeech(own['speech_config']),
    ...toFormat(body),
  })
  return Object.keys(config).length > 0 ? config : undefined
}

function toThinking({ thinking_level, thinking_summaries }: JsonObject): JsonObject | undefined {
  if (thinking_level === undefined && thinking_summaries === undefined) return undefined
  return compact({
    // Generate-content knows no level above this.
    thinkingLevel: thinking_level === 'xhigh' ? 'high' : thinking_level,
    includeThoughts: thinking_summaries === 'auto' ? true : undefined,
  })
}

function toImageConfig(config: unknown): JsonObject | undefined {
  if (!isObject(config)) return undefined
  return compact({ aspectRatio: config['aspect_ratio'], imageSize: config['image_size'] })
}

function toSpeech(config: unknown): JsonObject | undefined {
  const { speakers = config } = objectOf(config)
  if (!Array.isArray(speakers)) return undefined
  const voices = speakers.map(objectOf)
  const voiceOf = ({ voice }: JsonObject) => ({ prebuiltVoiceConfig: { voiceName: voice } })
  const languageCode = voices.find(({ language }) => language !== undefined)?.['language']
  if (voices.length === 1 && voices[0])
    return compact({ languageCode, voiceConfig: voiceOf(voices[0]) })
  const speakerVoiceConfigs = voices.map((entry) => ({
    speaker: entry['speaker'],
    voiceConfig: voiceOf(entry),
  }))
  return compact({ languageCode, multiSpeakerVoiceConfig: { speakerVoiceConfigs } })
}

const kinds: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'video'])

/** A form of the answer for each of its kinds, or a bare JSON schema. */
function toFormat(body: JsonObject): JsonObject {
  const { response_format: format, response_modalities: modalities, response_mime_type } = body
  const forms = (Array.isArray(format) ? (format as unknown[]) : [format]).filter(isObject)
  const asked = forms.map(({ type }) => type).filter((type) => kinds.has(type) && type !== 'text')
  const text = forms.find(({ type }) => type === 'text')
  const schema = text ? text['schema'] : forms.find(({ type }) => !kinds.has(type))
  const image = forms.find(({ type }) => type === 'image')
  const named = Array.isArray(modalities) ? (modalities as unknown[]) : asked
  return compact({
    responseMimeType:
      text?.['mime_type'] ?? response_mime_type ?? (schema ? 'application/json' : undefined),
    responseJsonSchema: schema,
    responseModalities:
      named.length > 0 ? named.map((kind) => String(kind).toUpperCase()) : undefined,
    ...(image ? { imageConfig: toImageConfig(image) } : {}),
  })
}

function toSafety(setting: unknown): JsonObject {
  const { type, threshold, method } = objectOf(setting)
  return compact({
    category: `HARM_CATEGORY_${String(type).toUpperCase()}`,
    threshold: typeof threshold === 'string' ? threshold.toUpperCase() : threshold,
    method: typeof method === 'string' ? method.toUpperCase() : method,
  })
}
