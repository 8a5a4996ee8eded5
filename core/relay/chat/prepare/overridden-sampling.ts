import type { AttemptContext, Body } from '../../../contract/adapter.ts'
import { objectOf } from '../../../contract/json.ts'
import { claudeHeaders } from '../../../dialects/anthropic-messages/request-headers.ts'
import { claudeCapabilities } from '../../../dialects/neutral/model-families.ts'

const SAMPLING = ['temperature', 'top_p', 'top_k'] as const

/** From this version on Anthropic refuses them for every model, even at their defaults (platform.claude.com, API versioning). */
const VERSION_WITHOUT = '2026-10-21'

/** An overridden body for Claude without the sampling that the channel alone sets and that this call cannot have: one override serves all models
 *  of a channel and clients of every version. What the client sets itself is its own to answer for. */
export function withoutRefusedSampling(changed: Body, before: Body, context: AttemptContext): Body {
  const isOwn = (name: string) => changed[name] === undefined || changed[name] === before[name]
  if (!context.model.includes('claude') || SAMPLING.every(isOwn)) return changed
  if (takesSampling(changed, context)) return changed
  const rest = { ...changed }
  for (const name of SAMPLING) {
    if (isOwn(name)) continue
    delete rest[name]
    context.drop(name)
  }
  return rest
}

function takesSampling({ thinking }: Body, context: AttemptContext): boolean {
  const type = objectOf(thinking)['type']
  if (type !== undefined && type !== 'disabled') return false
  const version = claudeHeaders(context)['anthropic-version'] ?? ''
  return version < VERSION_WITHOUT && claudeCapabilities(context.model).sampling
}
