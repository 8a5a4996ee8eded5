import type { ChatRequest, ReasoningWish, ResponseFormat } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { isEffort } from '../neutral/effort.ts'
import { compact, Fields } from '../neutral/fields.ts'
import { fromGeminiSchema } from './to-json-schema.ts'
import { requestInvalid } from '../neutral/request-errors.ts'
import { camelKeys, insideCamel, itemsOf } from './fields.ts'
import { parseContents, parseSystem } from './parse-contents.ts'
import { parseTools } from './parse-tools.ts'

export function parseRequest(
  raw: JsonObject,
  route: { model?: string; stream?: boolean } = {},
): ChatRequest {
  const body = new Fields(camelKeys(raw))
  const config = insideCamel(body, 'generationConfig') ?? new Fields({}, 'generationConfig')
  const settings = body.list('safetySettings')?.filter(isObject)
  return {
    model: route.model ?? body.requiredText('model'),
    system: parseSystem(body),
    turns: parseContents(body),
    ...parseTools(body),
    stream: route.stream ?? false,
    includeUsage: true,
    // A cache that lies at Google.
    ...(body.text('cachedContent') === undefined ? {} : { nativeFields: ['cachedContent'] }),
    ...compact({
      ...samplingOf(config),
      maxTokens: config.count('maxOutputTokens'),
      responseFormat: formatOf(config),
      reasoning: reasoningOf(insideCamel(config, 'thinkingConfig')),
      modalities: modalitiesOf(config),
      audio: voiceOf(config),
      imageConfig: config.object('imageConfig'),
      safetySettings: settings,
      metadata: body.object('labels'),
      serviceTier: tierOf(body.text('serviceTier')),
    }),
  }
}

/** The name of the enum is taken for its value, too. */
function tierOf(name: string | undefined): string | undefined {
  const tier = name?.toLowerCase().replace(/^service_tier_/, '')
  if (tier === 'unspecified') return undefined
  return tier === 'standard' ? 'default' : tier
}

function samplingOf(config: Fields): JsonObject {
  return {
    temperature: config.number('temperature'),
    topP: config.number('topP'),
    topK: config.number('topK'),
    stop: config.someTexts('stopSequences'),
    count: config.count('candidateCount'),
    seed: config.number('seed'),
    presencePenalty: config.number('presencePenalty'),
    frequencyPenalty: config.number('frequencyPenalty'),
    logprobs: config.flag('responseLogprobs'),
    topLogprobs: config.count('logprobs'),
  }
}

function formatOf(config: Fields): ResponseFormat | undefined {
  const newer = textFormatOf(config)
  const newerSchema = newer?.object('schema')
  if (newerSchema !== undefined) return { type: 'schema', schema: newerSchema }
  const mimeType = config.text('responseMimeType') ?? newer?.text('mimeType')
  const plain = mimeType === 'text/x.enum' ? { plain: true } : {}
  const jsonSchema = config.body.responseJsonSchema
  if (isObject(jsonSchema)) return { type: 'schema', schema: jsonSchema, ...plain }
  const schema = config.object('responseSchema')
  if (schema !== undefined) return { type: 'schema', schema: fromGeminiSchema(schema), ...plain }
  return mimeType === 'application/json' ? { type: 'json' } : undefined
}

/** `responseFormat` lists the kinds of output that are wanted. Source: google-genai 3.6, `GenerationConfig`. */
function textFormatOf(config: Fields): Fields | undefined {
  const kinds = itemsOf(config, 'responseFormat').map((kind) => insideCamel(kind, 'text'))
  return kinds.find((text) => text !== undefined)
}

function reasoningOf(thinking: Fields | undefined): ReasoningWish | undefined {
  if (thinking === undefined) return undefined
  const level = thinking.text('thinkingLevel')?.toLowerCase()
  if (level !== undefined && level !== 'thinking_level_unspecified' && !isEffort(level)) {
    throw requestInvalid(thinking.name('thinkingLevel'), `"${level}" is not supported`)
  }
  return compact({
    effort: isEffort(level) ? level : undefined,
    budget: thinking.number('thinkingBudget'),
    includeThoughts: thinking.flag('includeThoughts'),
  })
}

function voiceOf(config: Fields): JsonObject | undefined {
  const speech = insideCamel(config, 'speechConfig')
  const voice = speech === undefined ? undefined : insideCamel(speech, 'voiceConfig')
  const built = voice === undefined ? undefined : insideCamel(voice, 'prebuiltVoiceConfig')
  const name = built?.text('voiceName')
  return name === undefined ? undefined : { voice: name }
}

function modalitiesOf(config: Fields): string[] | undefined {
  return config.texts('responseModalities')?.map((name) => name.toLowerCase())
}
