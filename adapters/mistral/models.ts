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

/** The models that take `reasoning_effort`; the others refuse the field. Source: docs.mistral.ai/capabilities/reasoning/adjustable; that
 *  `mistral-medium-3` and `mistral-medium-latest` are names of Medium 3.5: mistralai/platform-docs-public, its model file. */
export function takesEffort(model: string): boolean {
  const small = /^mistral-small-(\d{4})/.exec(model)?.[1]
  if (small !== undefined) return Number(small) >= 2603
  return /^mistral-(?:small-latest|medium-(?:latest|3$|3[.-]5|2604))/.test(model)
}
