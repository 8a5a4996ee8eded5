// Source: docs.mistral.ai, page "Models overview", and the model files of mistralai/platform-docs-public, which tell each name's date of retirement.
export const mistralModels: readonly string[] = [
  'mistral-large-latest',
  'mistral-large-4',
  'mistral-large-2512',
  'mistral-medium-latest',
  'mistral-medium-3-5',
  'mistral-small-latest',
  'mistral-small-2603',
  'magistral-medium-latest',
  'magistral-small-latest',
  'ministral-14b-latest',
  'ministral-8b-latest',
  'ministral-3b-latest',
  'codestral-latest',
  'mistral-embed',
  'codestral-embed-2505',
  'mistral-moderation-latest',
  'voxtral-mini-latest',
  'mistral-ocr-latest',
]

/** The models that take `reasoning_effort`; the others refuse the field. Source: docs.mistral.ai/inference/conversations/reasoning; that the names without
 *  a version mean models that take it: mistralai/platform-docs-public, the model files, and @ai-sdk/mistral 4.0.87, from `GET /v1/models`. */
export function takesEffort(model: string): boolean {
  const small = /^mistral-small-(\d{4})/.exec(model)?.[1]
  if (small !== undefined) return Number(small) >= 2603
  return (
    /^(?:mistral-(?:small-latest|medium(?:$|-(?:latest|3$|3[.-]5|2604)))|magistral-(?:medium|small)-latest$)/.test(
      model,
    ) || hasLevels(model)
  )
}

/** Large 4 has three levels and thinks always; the others think or do not. */
export function effortOf(effort: unknown, model: string): string {
  const isLow = effort === 'none' || effort === 'minimal'
  if (!hasLevels(model)) return isLow ? 'none' : 'high'
  if (isLow || effort === 'low') return 'low'
  return effort === 'medium' ? 'medium' : 'high'
}

function hasLevels(model: string): boolean {
  return /^mistral-large-4(?:$|-)/.test(model)
}
