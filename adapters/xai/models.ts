import type { Effort } from '#core'

// Source: docs.x.ai, page "Models". Those retired on 15 May 2026 (docs.x.ai/developers/migration/may-15-retirement: grok-4.1-fast, grok-4, grok-3,
// grok-code-fast-1, grok-imagine-image-pro) still resolve, but to grok-4.3 at its price, so they are not offered. Pictures are
// drawn by grok-imagine-image alone (xai-sdk-python, types/model.py). "Older than grok-4.20 are deprecated and do not work anymore", grok-3-mini with
// them, wrote who maintains xAI's page at LiteLLM (github.com/BerriAI/litellm-docs/pull/816, 2026-08-09), whose list has dropped it.
export const xaiModels: readonly string[] = [
  'grok-4.7',
  'grok-4.6',
  'grok-4.5',
  'grok-4.3',
  'grok-latest',
  'grok-4.20-reasoning',
  'grok-4.20-non-reasoning',
  'grok-4.20-multi-agent',
  'grok-imagine-image-2.0',
  'grok-imagine-image',
]

/** The efforts that a model takes; none for those that refuse the field. From 4.5 on thinking cannot be switched off; of a
 *  multi-agent model the effort is the number of its agents. Source: docs.x.ai, guide "Reasoning". */
export function effortsOf(model: string): readonly Effort[] {
  if (model.startsWith('grok-3-mini')) return ['low', 'high']
  if (/^grok-4\.[6-9]/.test(model)) return ['low', 'medium', 'high', 'xhigh']
  if (model.startsWith('grok-4.3')) return ['none', 'low', 'medium', 'high']
  return /^grok-(?:4\.5|latest)|multi-agent/.test(model) ? ['low', 'medium', 'high'] : []
}

/** The models that are served by the Responses API alone. */
export function isMultiAgent(model: string): boolean {
  return model.includes('multi-agent')
}

/** The family that refuses `stop` and the penalties. */
export function isReasoning(model: string): boolean {
  return /^grok-(?:3-mini|4|latest)/.test(model) && !model.includes('non-reasoning')
}
