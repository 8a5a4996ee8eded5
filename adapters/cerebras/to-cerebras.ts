// Cerebras answers 400 to every field that it does not know, of the body and of its messages. Source: inference-docs.cerebras.ai, page "Chat Completions", and
// @cerebras/cerebras_cloud_sdk, resources/chat/completions.
import type { AttemptContext, Body } from '#core'
import {
  fitEffort,
  onlyKnown,
  renamed,
  thoughtsAsReasoning,
  withoutDeveloperRole,
} from '#adapter-kit'

const KNOWN: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'stream',
  'stream_options',
  'temperature',
  'top_p',
  'max_completion_tokens',
  'min_completion_tokens',
  'stop',
  'seed',
  'n',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'reasoning_effort',
  'reasoning_format',
  'clear_thinking',
  'disable_reasoning',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'prediction',
  'prompt_cache_key',
  'service_tier',
  'user',
])

export function toCerebras(body: Body, { model, drop }: AttemptContext): Body {
  const named = renamed(body, 'max_tokens', 'max_completion_tokens')
  const fitted = fitEffort(named, model.includes('gpt-oss') ? LEVELS : ['none', ...LEVELS], drop)
  return withoutDeveloperRole(thoughtsAsReasoning(onlyKnown(fitted, KNOWN, drop)))
}

const LEVELS = ['low', 'medium', 'high'] as const
