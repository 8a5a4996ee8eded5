// NVIDIA answers 400 or 422 to every field that a model's schema does not name: "Unsupported parameter(s)".
// Source: docs.api.nvidia.com/nim/reference, the `infer` page of each model; github.com/BerriAI/litellm, llms/nvidia_nim/chat.
import type { AttemptContext, Body } from '#core'
import { onlyKnown, renamed, without, withoutDeveloperRole } from '#adapter-kit'

const KNOWN: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'stream',
  'stream_options',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'n',
  'stop',
  'seed',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'frequency_penalty',
  'presence_penalty',
  'repetition_penalty',
  'min_tokens',
  'ignore_eos',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'reasoning_effort',
  'reasoning_budget',
  'chat_template_kwargs',
  'guided_json',
  'guided_regex',
  'guided_choice',
  'guided_grammar',
  'nvext',
])

export function toNvidia(body: Body, { drop }: AttemptContext): Body {
  const accepted = onlyKnown(renamed(body, 'max_completion_tokens', 'max_tokens'), KNOWN, drop)
  return withoutDeveloperRole(withoutIdlePenalties(accepted))
}

/** Many clients always send the penalties as 0, which says nothing, while some models refuse the fields. */
function withoutIdlePenalties(body: Body): Body {
  const idle = ['frequency_penalty', 'presence_penalty'].filter((field) => body[field] === 0)
  return without(body, ...idle)
}
