// Edits of OpenAI-shaped chat bodies for models that reason: how they are asked to, and how earlier reasoning is sent back to them.
import type { Body, ThoughtRecall } from '../../contract/adapter.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import type { Effort } from '../../contract/neutral.ts'
import { isEffort, nearestEffort } from '../../dialects/neutral/effort.ts'
import { without, withoutRefused } from '../body-edits.ts'
import { editMessages } from './message-edits.ts'

type Drop = (field: string) => void

/** Replaces the requested effort by the nearest one that the model supports; of two equally near, by the one listed
 *  first. Removes it for a model without efforts. */
export function fitEffort(body: Body, known: readonly Effort[], drop: Drop): Body {
  const { reasoning_effort: effort } = body
  if (effort === undefined) return body
  if (known.length === 0) return withoutRefused(body, ['reasoning_effort'], drop)
  if (!isEffort(effort)) return body
  const fitted = nearestEffort(effort, known)
  return fitted === effort ? body : { ...body, reasoning_effort: fitted }
}

/** For upstreams with a switch, `thinking: {type}`: sets it if an effort was requested, and keeps the effort. */
export function withThinkingSwitch(body: Body): Body {
  const { reasoning_effort: effort } = body
  if (effort === undefined || body['thinking'] !== undefined) return body
  return { ...body, thinking: { type: effort === 'none' ? 'disabled' : 'enabled' } }
}

export function isThinkingOff({ thinking }: Body): boolean {
  return isObject(thinking) && thinking['type'] === 'disabled'
}

/** Models refuse a forced tool call while they reason. If the client did not ask for reasoning, it is switched off for
 *  this call; if it did, or if the model always reasons, the model is free to choose whether to call a tool. */
export function withoutForcedCall(body: Body, canBeOff: boolean, drop: Drop): Body {
  const { tool_choice: choice } = body
  if (choice === undefined || choice === 'auto' || choice === 'none' || isThinkingOff(body))
    return body
  return canBeOff && body['thinking'] === undefined
    ? { ...body, thinking: { type: 'disabled' } }
    : withoutRefused(body, ['tool_choice'], drop)
}

/** Writes earlier reasoning into `reasoning`, for upstreams that refuse `reasoning_content`. */
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

/** The shortest text that upstreams accept in place of reasoning that the client has not sent back. */
const BLANK_THOUGHT = ' '

/** For upstreams that refuse earlier answers without their reasoning: OpenAI's clients do not know the field, and
 *  answers of other models have none. What was thought before a tool call is taken from memory. */
export function withThoughtsBack(body: Body, memory?: ThoughtRecall): Body {
  return editAssistant(body, (message) =>
    message['reasoning_content']
      ? message
      : {
          ...message,
          reasoning_content: thoughtOf(message) ?? knownThought(message, memory) ?? BLANK_THOUGHT,
        },
  )
}

/** For upstreams that think on with their earlier reasoning and do without where it is not known. */
export function withKnownThoughts(body: Body, memory?: ThoughtRecall): Body {
  return editAssistant(body, (message) => {
    const known = message['reasoning_content'] ? undefined : knownThought(message, memory)
    return known === undefined ? message : { ...message, reasoning_content: known }
  })
}

function knownThought({ tool_calls: calls }: JsonObject, memory?: ThoughtRecall) {
  const first: unknown = Array.isArray(calls) ? calls[0] : undefined
  if (!isObject(first) || !isObject(first['function'])) return undefined
  const { name, arguments: said } = first['function']
  const { id } = first
  return typeof id === 'string' && typeof name === 'string' && typeof said === 'string'
    ? memory?.recallThought({ id, name, arguments: said })
    : undefined
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
