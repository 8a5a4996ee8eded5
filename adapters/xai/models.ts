import type { Effort } from '#core'

// Source: docs.x.ai, page "Models". The older ones are withdrawn or about to be (unconfirmed).
export const xaiModels: readonly string[] = [
  'grok-4.6',
  'grok-4.5',
  'grok-4.3',
  'grok-latest',
  'grok-4.20-reasoning',
  'grok-4.20-non-reasoning',
  'grok-4.20-multi-agent',
  'grok-4.1-fast-reasoning',
  'grok-4.1-fast-non-reasoning',
  'grok-4',
  'grok-3',
  'grok-3-mini',
  'grok-3-mini-high',
  'grok-3-mini-low',
  'grok-code-fast-1',
  'grok-imagine-image',
  'grok-imagine-image-pro',
  'grok-2-image',
]

/** The efforts that a model takes; none for those that refuse the field. */
export function effortsOf(model: string): readonly Effort[] {
  if (model.startsWith('grok-3-mini')) return ['low', 'high']
  if (model.startsWith('grok-4.6')) return ['none', 'low', 'medium', 'high', 'xhigh']
  return /^grok-(?:4\.3|4\.5|latest)/.test(model) ? ['none', 'low', 'medium', 'high'] : []
}

/** The family that refuses `stop` and the penalties. */
export function isReasoning(model: string): boolean {
  return /^grok-(?:3-mini|4|latest)/.test(model) && !model.includes('non-reasoning')
}
