// Source: docs.x.ai, API reference, "Chat completions" and guide "Reasoning".
import type { AttemptContext, Body } from '#core'
import { clamped, fitEffort, renamed, withoutDeveloperRole, withoutRefused } from '#adapter-kit'
import { effortsOf, isReasoning } from './models.ts'

const REFUSED_BY_REASONING = ['stop', 'presence_penalty', 'frequency_penalty'] as const
const MOST_LOGPROBS = 8

export function toXai(body: Body, { model, drop }: AttemptContext): Body {
  const named = fitEffort(
    renamed(body, 'max_tokens', 'max_completion_tokens'),
    effortsOf(model),
    drop,
  )
  const fitted = isReasoning(model)
    ? withoutRefused(named, REFUSED_BY_REASONING, drop)
    : clamped(named, 'top_logprobs', { min: 0, max: MOST_LOGPROBS })
  // That developer messages are taken as they are: (unconfirmed)
  return withoutDeveloperRole(fitted)
}

/** Anthropic's own form has no field for the effort that a name asks for; what reasoning models refuse, they refuse there too. */
export function toXaiMessages(body: Body, { model, resolved, drop }: AttemptContext): Body {
  if (resolved.effort !== undefined) drop('reasoning_effort')
  return isReasoning(model) ? withoutRefused(body, ['stop_sequences'], drop) : body
}

/** Images have an aspect ratio instead of a size, and one quality. */
export function toXaiImages(body: Body, { drop }: AttemptContext): Body {
  return withoutRefused(body, ['size', 'quality', 'style'], drop)
}
