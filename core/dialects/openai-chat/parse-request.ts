import type {
  ChatRequest,
  ReasoningWish,
  ResponseFormat,
  WebSearch,
} from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { isEffort } from '../neutral/effort.ts'
import { Fields, compact } from '../neutral/fields.ts'
import { requestInvalid } from '../neutral/request-errors.ts'
import { parseMessages } from './parse-messages.ts'
import { parseTools } from './parse-tools.ts'

export function parseRequest(
  body: JsonObject,
  route: { model?: string; stream?: boolean } = {},
): ChatRequest {
  const fields = new Fields(body)
  const model = route.model ?? fields.requiredText('model')
  const legacyMax = fields.count('max_tokens')
  return {
    model,
    ...parseMessages(fields),
    ...parseTools(fields),
    stream: route.stream ?? fields.flag('stream') ?? false,
    includeUsage: fields.inside('stream_options')?.flag('include_usage') ?? false,
    ...compact({
      ...samplingOf(fields),
      maxTokens: fields.count('max_completion_tokens') ?? legacyMax,
      parallelToolCalls: fields.flag('parallel_tool_calls'),
      responseFormat: responseFormatOf(fields),
      reasoning: reasoningOf(fields),
      webSearch: webSearchOf(fields),
      verbosity: fields.text('verbosity'),
      user: fields.text('user') ?? fields.text('safety_identifier'),
      metadata: fields.object('metadata'),
      store: fields.flag('store'),
      serviceTier: fields.text('service_tier'),
      promptCacheKey: fields.text('prompt_cache_key'),
      modalities: fields.texts('modalities'),
      audio: fields.object('audio'),
      imageConfig: imageConfigOf(fields),
    }),
  }
}

function samplingOf(fields: Fields): JsonObject {
  const stop = fields.body.stop
  return {
    temperature: fields.number('temperature'),
    topP: fields.number('top_p'),
    topK: fields.number('top_k'),
    stop: typeof stop === 'string' ? [stop] : fields.someTexts('stop'),
    count: fields.count('n'),
    seed: fields.number('seed'),
    presencePenalty: fields.number('presence_penalty'),
    frequencyPenalty: fields.number('frequency_penalty'),
    logitBias: fields.object('logit_bias'),
    logprobs: fields.flag('logprobs'),
    topLogprobs: fields.count('top_logprobs'),
  }
}

function responseFormatOf(fields: Fields): ResponseFormat | undefined {
  const format = fields.inside('response_format')
  switch (format?.text('type')) {
    case 'json_schema': {
      const schema = format?.inside('json_schema')
      if (schema === undefined) throw requestInvalid('response_format.json_schema', 'is required')
      return {
        type: 'schema',
        schema: schema.object('schema') ?? {},
        ...compact({
          name: schema.text('name'),
          strict: schema.flag('strict'),
          description: schema.text('description'),
        }),
      }
    }
    case 'json_object':
      return { type: 'json' }
    case 'text':
      return { type: 'text' }
    default:
      return undefined
  }
}

/** Reads reasoning_effort. OpenRouter's `reasoning` object overrides it, and Google's extra_body adds to it. */
function reasoningOf(fields: Fields): ReasoningWish | undefined {
  const wish: ReasoningWish = {}
  const effort = fields.text('reasoning_effort')
  if (effort !== undefined) wish.effort = effortNamed(effort, 'reasoning_effort')
  const router = fields.inside('reasoning')
  if (router !== undefined) {
    const routerEffort = router.text('effort')
    const budget = router.number('max_tokens')
    if (routerEffort !== undefined) wish.effort = effortNamed(routerEffort, 'reasoning.effort')
    if (budget !== undefined) wish.budget = budget
    if (router.flag('exclude') === true) wish.includeThoughts = false
    if (router.flag('enabled') === true && wish.effort === undefined) wish.effort = 'medium'
  }
  const google = fields.inside('extra_body')?.inside('google')
  const thinking = google?.inside('thinking_config')
  if (thinking !== undefined) Object.assign(wish, googleThinking(thinking))
  else if (google?.body.thinkingConfig !== undefined) {
    throw requestInvalid('extra_body.google.thinkingConfig', 'write it thinking_config')
  }
  if (Object.keys(wish).length === 0) return undefined
  return { includeThoughts: true, ...wish }
}

function effortNamed(value: string, field: string): NonNullable<ReasoningWish['effort']> {
  if (isEffort(value)) return value
  throw requestInvalid(field, `"${value}" is not supported`)
}

function googleThinking(thinking: Fields): ReasoningWish {
  for (const key of ['thinkingBudget', 'includeThoughts', 'thinkingLevel']) {
    if (thinking.body[key] !== undefined) {
      throw requestInvalid(thinking.name(key), 'write the keys of extra_body in snake_case')
    }
  }
  const level = thinking.text('thinking_level')?.toLowerCase()
  return compact({
    budget: thinking.number('thinking_budget'),
    includeThoughts: thinking.flag('include_thoughts'),
    effort: level === undefined ? undefined : effortNamed(level, 'thinking_level'),
  })
}

function imageConfigOf(fields: Fields): JsonObject | undefined {
  const config = fields.inside('extra_body')?.inside('google')?.inside('image_config')
  if (config === undefined) return undefined
  return compact({
    aspectRatio: config.text('aspect_ratio'),
    imageSize: config.text('image_size'),
  })
}

function webSearchOf(fields: Fields): WebSearch | undefined {
  const options = fields.inside('web_search_options')
  if (options === undefined) return undefined
  const size = options.text('search_context_size') ?? 'medium'
  if (size !== 'low' && size !== 'medium' && size !== 'high') {
    throw requestInvalid(options.name('search_context_size'), 'must be low, medium or high')
  }
  const location = options.object('user_location')
  return { contextSize: size, ...(location === undefined ? {} : { userLocation: location }) }
}
