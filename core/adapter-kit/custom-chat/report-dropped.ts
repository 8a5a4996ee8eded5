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

/** `failures`: that a tool failed. */
export type SayableField = keyof typeof WIRE_NAMES | 'failures'

/** Notes fields of the request that the upstream's own format cannot express.
 *  @throws request.unsupported_parameter for a field that must not be dropped silently */
export function reportDropped(
  request: ChatRequest,
  sayable: readonly SayableField[],
  context: Pick<AttemptContext, 'drop'>,
): void {
  refuseNativeFields(request)
  for (const tool of request.hostedTools) {
    // Many clients add a search to every call, so it may be dropped; any other tool that the provider runs is essential to the call.
    if (!isDispensable(tool, request) && !sayable.includes('hostedTools'))
      throw unsupportedTool(tool)
  }
  for (const [field, name] of Object.entries(WIRE_NAMES) as [keyof typeof WIRE_NAMES, string][]) {
    const value = request[field]
    const isAsked = Array.isArray(value) ? value.length > 0 : value !== undefined
    if (isAsked && !sayable.includes(field)) context.drop(name)
  }
  const kept = { details: true, failures: sayable.includes('failures') }
  for (const name of lostInTurns(request, kept)) context.drop(name)
}
