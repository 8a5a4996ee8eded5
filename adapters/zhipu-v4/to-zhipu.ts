import { isObject, type AttemptContext, type Body } from '#core'
import {
  clamped,
  editParts,
  renamed,
  without,
  withoutDeveloperRole,
  withoutRefused,
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
export function toZhipu(body: Body, { drop }: AttemptContext): Body {
  let edited = withoutRefused(body, UNKNOWN, drop)
  edited = renamed(edited, 'max_completion_tokens', 'max_tokens')
  edited = renamed(edited, 'user', 'user_id')
  edited = clamped(edited, 'top_p', { max: 0.99 })
  edited = clamped(edited, 'temperature', { min: 0, max: 1 })
  if (edited.temperature === 0 && edited.do_sample === undefined)
    edited = { ...edited, do_sample: false }
  if (typeof edited.stop === 'string') edited = { ...edited, stop: [edited.stop] }
  edited = withThinking(withToolChoice(edited, drop), drop)
  return withoutDeveloperRole(editParts(edited, toBareImage))
}

/** Zhipu switches thinking on or off, in its newer models. */
function withThinking(body: Body, drop: (field: string) => void): Body {
  const { reasoning_effort: effort, ...rest } = body
  if (effort === undefined) return body
  const isSwitched = /^glm-(?:4\.[5-9]|[5-9])/.test(String(body.model))
  if (!isSwitched) drop('reasoning_effort')
  if (!isSwitched || body.thinking !== undefined) return rest
  return { ...rest, thinking: { type: effort === 'none' ? 'disabled' : 'enabled' } }
}

/** `auto` is the only choice: without tools there is no call, anything else cannot be said. */
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
