// Source: docs.x.ai, API reference, "Chat completions" and guide "Reasoning". Developer messages go as they are: the models know that role, and for
// grok-4.1 and older ones xAI writes it as system itself (xai-sdk-python, chat.py).
import { isObject, type AttemptContext, type Body, type FormPart } from '#core'
import { clamped, fitEffort, readImageForm, renamed, withoutRefused } from '#adapter-kit'
import { effortsOf, isReasoning } from './models.ts'

const REFUSED_BY_REASONING = ['stop', 'presence_penalty', 'frequency_penalty'] as const
const MOST_LOGPROBS = 8

export function toXai(body: Body, { model, drop }: AttemptContext): Body {
  const named = fitEffort(
    renamed(body, 'max_tokens', 'max_completion_tokens'),
    effortsOf(model),
    drop,
  )
  return isReasoning(model)
    ? withoutRefused(named, REFUSED_BY_REASONING, drop)
    : clamped(named, 'top_logprobs', { min: 0, max: MOST_LOGPROBS })
}

/** The effort of the Responses API stands in `reasoning`. */
export function toXaiResponses(body: Body, { model, drop }: AttemptContext): Body {
  const { reasoning } = body
  if (!isObject(reasoning) || reasoning.effort === undefined || reasoning.effort === null)
    return body
  const { effort, ...rest } = reasoning
  const fitted = fitEffort({ reasoning_effort: effort }, effortsOf(model), drop).reasoning_effort
  if (fitted === effort) return body
  return { ...body, reasoning: fitted === undefined ? rest : { ...rest, effort: fitted } }
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

/** Edits are JSON, with the pictures as data URLs. */
export function toXaiEdit(parts: readonly FormPart[], context: AttemptContext): Body {
  const { fields, images } = readImageForm(parts, context)
  const pictures = images.map((url) => ({ type: 'image_url', url }))
  return {
    ...toXaiImages(fields, context),
    model: context.model,
    ...(pictures.length === 1 ? { image: pictures[0] } : { images: pictures }),
  }
}
