import { isObject, type AttemptContext, type Body, type ThoughtRecall } from '#core'
import {
  clamped,
  editParts,
  fitEffort,
  isThinkingOff,
  renamed,
  withKnownThoughts,
  without,
  withoutDeveloperRole,
  withoutJsonSchema,
  withoutRefused,
  withThinkingSwitch,
} from '#adapter-kit'

const UNKNOWN = [
  'presence_penalty',
  'frequency_penalty',
  'n',
  'logprobs',
  'top_logprobs',
  'logit_bias',
  'seed',
] as const

/** The OpenAI body within Zhipu's limits. What it does not know is dropped, for clients send it by habit. */
export function toZhipu(body: Body, { drop }: AttemptContext, memory?: ThoughtRecall): Body {
  let edited = withoutRefused(body, UNKNOWN, drop)
  edited = renamed(edited, 'max_completion_tokens', 'max_tokens')
  edited = withUserId(edited, drop)
  edited = clamped(edited, 'top_p', { max: 0.99 })
  edited = clamped(edited, 'temperature', { min: 0, max: 1 })
  if (edited.temperature === 0 && edited.do_sample === undefined)
    edited = { ...edited, do_sample: false }
  edited = withOneStop(edited, drop)
  edited = withThinking(withToolChoice(edited, drop), drop)
  // "Interleaved thinking" wants them with the results of tools: docs.bigmodel.cn, page "Thinking mode".
  if (!isThinkingOff(edited)) edited = withKnownThoughts(edited, memory)
  return withoutDeveloperRole(withoutJsonSchema(editParts(edited, toBareImage)))
}

/** GLM-4.5 and later have a switch for thinking, 5.2 and later effort levels as well. */
function withThinking(body: Body, drop: (field: string) => void): Body {
  const version = Number(/^glm-(\d+(?:\.\d+)?)/.exec(String(body.model))?.[1] ?? 0)
  if (version < 4.5) return fitEffort(body, [], drop)
  const switched = withThinkingSwitch(body)
  return version < 5.2 || isThinkingOff(switched)
    ? without(switched, 'reasoning_effort')
    : fitEffort(switched, ['high', 'low', 'max'], drop)
}

/** Zhipu takes one stop text, in a list. */
function withOneStop(body: Body, drop: (field: string) => void): Body {
  const { stop } = body
  if (typeof stop === 'string') return { ...body, stop: [stop] }
  if (!Array.isArray(stop) || stop.length < 2) return body
  drop('stop')
  return { ...body, stop: stop.slice(0, 1) as unknown[] }
}

/** `user_id` must have 6 to 128 characters; shorter and longer ones are left out. */
function withUserId(body: Body, drop: (field: string) => void): Body {
  const named = renamed(body, 'user', 'user_id')
  const { user_id: user } = named
  if (typeof user !== 'string' || (user.length >= 6 && user.length <= 128)) return named
  drop('user')
  return without(named, 'user_id')
}

/** Zhipu's tool_choice knows `auto` only. For `none` the tools are left out; a forced call cannot be expressed. */
function withToolChoice(body: Body, drop: (field: string) => void): Body {
  const { tool_choice: choice } = body
  if (choice === undefined || choice === 'auto') return body
  if (choice === 'none') return without(body, 'tools', 'tool_choice')
  drop('tool_choice')
  return without(body, 'tool_choice')
}

/** Images travel as bare base64, without the head of a data URL. */
function toBareImage(part: Body): Body {
  const { image_url: image } = part
  if (!isObject(image) || typeof image.url !== 'string') return part
  const head = /^data:image\/[^;,]+;base64,/.exec(image.url.slice(0, 100))?.[0]
  return head === undefined
    ? part
    : { ...part, image_url: { ...image, url: image.url.slice(head.length) } }
}
