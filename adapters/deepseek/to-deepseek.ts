// Source: api-docs.deepseek.com, pages "Create Chat Completion" and "Thinking Mode".
import { isObject, type AttemptContext, type Body, type ThoughtRecall } from '#core'
import {
  isThinkingOff,
  renamed,
  without,
  withoutDeveloperRole,
  withoutForcedCall,
  withoutJsonSchema,
  withoutRefused,
  withThinkingSwitch,
  withThoughtsBack,
} from '#adapter-kit'

/** DeepSeek knows no developer role, no max_completion_tokens and no JSON schemas. */
export function toDeepseek(
  body: Body,
  { model, drop }: AttemptContext,
  memory?: ThoughtRecall,
): Body {
  const named = renamed(body, 'max_completion_tokens', 'max_tokens')
  const accepted = withoutDeveloperRole(withoutJsonSchema(withoutLogprobs(named, drop)))
  return thinksUnasked(model) ? toThinking(accepted, drop, memory) : accepted
}

/** Every name from deepseek-reasoner on; those that are excepted are older and live on at mirrors. */
function thinksUnasked(model: string): boolean {
  return model.startsWith('deepseek-') && !/^deepseek-(?:chat|coder|v[1-3]|r1)/.test(model)
}

/** While thinking is on, DeepSeek refuses a conversation without its earlier thoughts ("must be passed back") and a forced tool call ("does not support
 *  this tool_choice"). Effort `none` has no value of its own there: the switch turns thinking off. */
function toThinking(body: Body, drop: (field: string) => void, memory?: ThoughtRecall): Body {
  const switched = withoutForcedCall(withThinkingSwitch(body), true, drop)
  if (!isThinkingOff(switched)) return withThoughtsBack(switched, memory)
  return switched['reasoning_effort'] === 'none' ? without(switched, 'reasoning_effort') : switched
}

/** While thinking is on, log probabilities are refused; clients send the fields by habit. */
function withoutLogprobs(body: Body, drop: (field: string) => void): Body {
  const { thinking } = body
  const thinks = isObject(thinking)
    ? thinking['type'] === 'enabled'
    : body['model'] === 'deepseek-reasoner'
  return thinks ? withoutRefused(body, ['logprobs', 'top_logprobs'], drop) : body
}
