// Fields of a body that the neutral form cannot express. They do not reach an upstream of another dialect, and the log row names them.
import type { ChatDialect } from '../../../contract/dialect.ts'
import { isObject, type JsonObject } from '../../../contract/json.ts'
import { camelKeys } from '../../../dialects/gemini/fields.ts'
import { foreignInnerFields } from './foreign-inner-fields.ts'

const words = (...lines: string[]): ReadonlySet<string> => new Set(lines.join(' ').split(' '))

/** The fields that each dialect's parser reads, or refuses by name. */
const read: Readonly<Record<ChatDialect, ReadonlySet<string>>> = {
  'openai-chat': words(
    'model models group messages tools tool_choice functions function_call parallel_tool_calls',
    'stream stream_options max_tokens max_completion_tokens temperature top_p top_k stop n seed',
    'presence_penalty frequency_penalty logit_bias logprobs top_logprobs response_format',
    'reasoning_effort reasoning extra_body web_search_options verbosity user safety_identifier',
    'metadata store service_tier prompt_cache_key modalities audio',
  ),
  'openai-responses': words(
    'model input instructions tools tool_choice parallel_tool_calls max_output_tokens temperature',
    'top_p top_logprobs include text reasoning user safety_identifier metadata store service_tier',
    'prompt_cache_key prompt_cache_options stream stream_options previous_response_id conversation prompt background',
  ),
  'anthropic-messages': words(
    'model max_tokens messages system stop_sequences stream temperature top_p top_k tools',
    'tool_choice thinking output_config output_format metadata service_tier mcp_servers thread',
    'compaction',
  ),
  gemini: words(
    'model contents systemInstruction tools toolConfig generationConfig safetySettings',
    'cachedContent labels serviceTier',
  ),
}

const readInConfig = words(
  'temperature topP topK stopSequences candidateCount seed presencePenalty frequencyPenalty',
  'responseLogprobs logprobs maxOutputTokens responseMimeType responseSchema responseJsonSchema',
  'responseFormat thinkingConfig responseModalities imageConfig speechConfig',
)

/** Values that are every upstream's default anyway: losing them changes nothing. */
const usual: ReadonlyMap<string, unknown> = new Map([
  ['truncation', 'disabled'],
  ['detail', 'auto'],
])

/** Which names may be written to the log row. They come from the client, so only plausible names, and only a few. */
const NAME = /^\w{1,64}$/
const MOST_NAMES = 20

export function foreignFields(dialect: ChatDialect, raw: JsonObject): string[] {
  const body = dialect === 'gemini' ? camelKeys(raw) : raw
  const { generationConfig: config, ...rest } = body
  const isGemini = dialect === 'gemini'
  const outer = unread(isGemini ? rest : body, read[dialect])
  const inside = isGemini && isObject(config) ? unread(camelKeys(config), readInConfig) : []
  const inner = foreignInnerFields(dialect, body, isNamedWish)
  return [...outer, ...inside, ...inner].slice(0, MOST_NAMES)
}

function unread(body: JsonObject, known: ReadonlySet<string>): string[] {
  return Object.keys(body)
    .filter((name) => !known.has(name) && isNamedWish(name, body[name]))
    .slice(0, MOST_NAMES)
}

function isNamedWish(name: string, value: unknown): boolean {
  return NAME.test(name) && isWish(name, value) && !(Array.isArray(value) && value.length === 0)
}

function isWish(name: string, value: unknown): boolean {
  return value !== undefined && value !== null && usual.get(name) !== value
}
