// Edits of OpenAI-shaped chat bodies for models that think: what they are told of thinking, and how earlier thoughts come back to them.
import type { Body } from '../../contract/adapter.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import type { Effort } from '../../contract/neutral.ts'
import { isEffort, nearestEffort } from '../../dialects/neutral/effort.ts'
import { without, withoutRefused } from '../body-edits.ts'
import { editMessages } from './message-edits.ts'

type Drop = (field: string) => void

/** The effort that the client asks for becomes the nearest that the model has; where two are equally near, the one named first. A model
 *  without any is asked for none. */
export function fitEffort(body: Body, known: readonly Effort[], drop: Drop): Body {
  const { reasoning_effort: effort } = body
  if (effort === undefined) return body
  if (known.length === 0) return withoutRefused(body, ['reasoning_effort'], drop)
  if (!isEffort(effort)) return body
  const fitted = nearestEffort(effort, known)
  return fitted === effort ? body : { ...body, reasoning_effort: fitted }
}

/** Upstreams with a switch, `thinking: {type}`, are told by it whether an effort was asked for at all. The effort stays beside it. */
export function withThinkingSwitch(body: Body): Body {
  const { reasoning_effort: effort } = body
  if (effort === undefined || body['thinking'] !== undefined) return body
  return { ...body, thinking: { type: effort === 'none' ? 'disabled' : 'enabled' } }
}

export function isThinkingOff({ thinking }: Body): boolean {
  return isObject(thinking) && thinking['type'] === 'disabled'
}

/** A model that thinks refuses to be made to call a tool. Where the client left thinking to it, it does not think for once; where the client
 *  asked for thoughts, or the model cannot but think, it chooses itself. */
export function withoutForcedCall(body: Body, canBeOff: boolean, drop: Drop): Body {
  const { tool_choice: choice } = body
  if (choice === undefined || choice === 'auto' || choice === 'none' || isThinkingOff(body))
    return body
  return canBeOff && body['thinking'] === undefined
    ? { ...body, thinking: { type: 'disabled' } }
    : withoutRefused(body, ['tool_choice'], drop)
}

/** Thoughts of the history in `reasoning`, the field of upstreams that refuse `reasoning_content`. */
export function thoughtsAsReasoning(body: Body): Body {
  return withThoughtsIn(body, 'reasoning', 'reasoning_content')
}

/** The reverse, for upstreams that refuse `reasoning`. */
export function thoughtsAsContent(body: Body): Body {
  return withThoughtsIn(body, 'reasoning_content', 'reasoning')
}

function withThoughtsIn(body: Body, field: string, other: string): Body {
  return editAssistant(body, (message) => {
    if (!Object.hasOwn(message, other)) return message
    const thought = thoughtOf(message)
    const rest = without(message, other)
    return thought === undefined ? rest : { ...rest, [field]: thought }
  })
}

/** The least that upstreams take for thoughts that the client did not keep. */
const BLANK_THOUGHT = ' '

/** For upstreams that refuse a conversation whose answers come back without their thoughts: OpenAI's clients do not know the field, and
 *  answers of other models have none. */
export function withThoughtsBack(body: Body): Body {
  return editAssistant(body, (message) =>
    message['reasoning_content']
      ? message
      : { ...message, reasoning_content: thoughtOf(message) ?? BLANK_THOUGHT },
  )
}

function thoughtOf({ reasoning, reasoning_content: content }: JsonObject): string | undefined {
  const thought = typeof reasoning === 'string' && reasoning !== '' ? reasoning : content
  return typeof thought === 'string' && thought !== '' ? thought : undefined
}

function editAssistant(body: Body, edit: (message: JsonObject) => JsonObject): Body {
  return editMessages(body, (message) =>
    message['role'] === 'assistant' ? edit(message) : message,
  )
}
