import type { AttemptContext } from '../../contract/adapter.ts'
import type { ChatRequest } from '../../contract/neutral.ts'
import { lostInTurns } from '../../dialects/neutral/lost-in-turns.ts'
import {
  isDispensable,
  refuseNativeFields,
  unsupportedTool,
} from '../../dialects/neutral/request-errors.ts'

/** What a request may ask for, by the names that clients of the OpenAI dialect know. */
const WIRE_NAMES = {
  tools: 'tools',
  hostedTools: 'tools',
  toolChoice: 'tool_choice',
  parallelToolCalls: 'parallel_tool_calls',
  maxTokens: 'max_tokens',
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  stop: 'stop',
  count: 'n',
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  logitBias: 'logit_bias',
  logprobs: 'logprobs',
  topLogprobs: 'top_logprobs',
  responseFormat: 'response_format',
  reasoning: 'reasoning_effort',
  verbosity: 'verbosity',
  user: 'user',
  metadata: 'metadata',
  store: 'store',
  serviceTier: 'service_tier',
  promptCacheKey: 'prompt_cache_key',
  modalities: 'modalities',
  audio: 'audio',
  webSearch: 'web_search_options',
  safetySettings: 'safetySettings',
  imageConfig: 'imageConfig',
} as const satisfies Partial<Record<keyof ChatRequest, string>>

export type SayableField = keyof typeof WIRE_NAMES

/** Notes what a request asks for and a format of an upstream's own has no word for.
 *  @throws request.unsupported_parameter for what must not be dropped in silence */
export function reportDropped(
  request: ChatRequest,
  sayable: readonly SayableField[],
  context: Pick<AttemptContext, 'drop'>,
): void {
  refuseNativeFields(request)
  for (const tool of request.hostedTools) {
    // A search is an aid that clients ask for by habit; what else a provider runs itself is the point of a call.
    if (!isDispensable(tool) && !sayable.includes('hostedTools')) throw unsupportedTool(tool)
  }
  for (const [field, name] of Object.entries(WIRE_NAMES) as [SayableField, string][]) {
    const value = request[field]
    const isAsked = Array.isArray(value) ? value.length > 0 : value !== undefined
    if (isAsked && !sayable.includes(field)) context.drop(name)
  }
  for (const name of lostInTurns(request, { details: true })) context.drop(name)
}
