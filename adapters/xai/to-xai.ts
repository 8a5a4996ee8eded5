// Source: docs.x.ai, API reference, "Chat completions" and guide "Reasoning".
import type { AttemptContext, Body } from '#core'
import {
  clamped,
  isEffort,
  nearestEffort,
  renamed,
  without,
  withoutDeveloperRole,
} from '#adapter-kit'
import { effortsOf, isReasoning } from './models.ts'

const REFUSED_BY_REASONING = ['stop', 'presence_penalty', 'frequency_penalty'] as const
const MOST_LOGPROBS = 8

export function toXai(body: Body, { model, drop }: AttemptContext): Body {
  const named = withEffort(renamed(body, 'max_tokens', 'max_completion_tokens'), model, drop)
  const fitted = isReasoning(model)
    ? dropped(named, REFUSED_BY_REASONING, drop)
    : clamped(named, 'top_logprobs', { min: 0, max: MOST_LOGPROBS })
  // That developer messages are taken as they are: (unconfirmed)
  return withoutDeveloperRole(fitted)
}

function withEffort(body: Body, model: string, drop: (field: string) => void): Body {
  const effort = body['reasoning_effort']
  if (effort === undefined) return body
  const known = effortsOf(model)
  if (known.length === 0) return dropped(body, ['reasoning_effort'], drop)
  if (!isEffort(effort)) return body
  const fitted = nearestEffort(effort, known)
  return fitted === effort ? body : { ...body, reasoning_effort: fitted }
}

/** Anthropic's own form has no field for the effort that a name asks for; what reasoning models refuse, they refuse there too. */
export function toXaiMessages(body: Body, { model, resolved, drop }: AttemptContext): Body {
  if (resolved.effort !== undefined) drop('reasoning_effort')
  return isReasoning(model) ? dropped(body, ['stop_sequences'], drop) : body
}

/** Images have an aspect ratio instead of a size, and one quality. */
export function toXaiImages(body: Body, { drop }: AttemptContext): Body {
  return dropped(body, ['size', 'quality', 'style'], drop)
}

function dropped(body: Body, fields: readonly string[], drop: (field: string) => void): Body {
  for (const field of fields) if (body[field] !== undefined) drop(field)
  return without(body, ...fields)
}
