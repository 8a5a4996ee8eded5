// Groq answers 400 to every field that it does not know, of the body and of its messages. Source: groq-sdk, resources/chat/completions, and
// console.groq.com/docs, pages "OpenAI Compatibility" and "Reasoning".
import type { AttemptContext, Body, Effort } from '#core'
import {
  editMessages,
  fitEffort,
  onlyKnown,
  thoughtsAsReasoning,
  without,
  withoutDeveloperRole,
} from '#adapter-kit'

/** The fields that Groq accepts, without those that are documented but supported by no model (logprobs, logit_bias,
 *  metadata, store, n above 1). */
const KNOWN: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'stream',
  'stream_options',
  'temperature',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'stop',
  'seed',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'disable_tool_validation',
  'functions',
  'function_call',
  'response_format',
  'reasoning_effort',
  'reasoning_format',
  'include_reasoning',
  'frequency_penalty',
  'presence_penalty',
  'service_tier',
  'user',
  'documents',
  'citation_options',
  'compound_custom',
  'search_settings',
  'include_domains',
  'exclude_domains',
])

export function toGroq(body: Body, { model, drop }: AttemptContext): Body {
  const accepted = onlyKnown(withEffort(body, model, drop), KNOWN, drop)
  const named = withoutDeveloperRole(thoughtsAsReasoning(accepted))
  return isReasoning(model)
    ? named
    : editMessages(named, (message) => without(message, 'reasoning'))
}

export function isReasoning(model: string): boolean {
  return effortsOf(model).length > 0
}

function effortsOf(model: string): readonly Effort[] {
  if (model.includes('gpt-oss')) return ['low', 'medium', 'high']
  return /qwen3\.[6-9]/.test(model) || isSwitched(model) ? ['none', 'low', 'medium', 'high'] : []
}

/** Qwen3 before 3.6 thinks or does not; `default` is its word for the first. */
function isSwitched(model: string): boolean {
  return /qwen3-/.test(model)
}

function withEffort(body: Body, model: string, drop: (field: string) => void): Body {
  const { reasoning_effort: effort } = body
  if (!isSwitched(model)) return fitEffort(body, effortsOf(model), drop)
  return effort === undefined || effort === 'none' || effort === 'default'
    ? body
    : { ...body, reasoning_effort: 'default' }
}
