// Fireworks answers 400 to every field that it does not know, of the body and of its messages: "Extra inputs are not permitted".
// Source: docs.fireworks.ai, API reference "Create Chat Completion"; litellm 1.109.1, llms/fireworks_ai/chat.
import type { AttemptContext, Body } from '#core'
import { onlyKnown, thoughtsAsContent, withoutDeveloperRole } from '#adapter-kit'

const KNOWN: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'typical_p',
  'n',
  'stop',
  'seed',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'frequency_penalty',
  'presence_penalty',
  'repetition_penalty',
  'mirostat_target',
  'mirostat_lr',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'reasoning_effort',
  'reasoning_history',
  'thinking',
  'prediction',
  'speculation',
  'user',
  'service_tier',
  'echo',
  'echo_last',
  'ignore_eos',
  'raw_output',
  'return_token_ids',
  'safe_tokenization',
  'sampling_mask',
  'prompt_truncate_len',
  'prompt_cache_key',
  'prompt_cache_isolation_key',
  'context_length_exceeded_behavior',
  'perf_metrics_in_response',
])

export function toFireworks(body: Body, { drop }: AttemptContext): Body {
  return withoutDeveloperRole(thoughtsAsContent(onlyKnown(body, KNOWN, drop)))
}
