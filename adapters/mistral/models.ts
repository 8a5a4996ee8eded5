// Source: docs.mistral.ai, page "Models overview".
export const mistralModels: readonly string[] = [
  'mistral-large-latest',
  'mistral-large-4',
  'mistral-large-2512',
  'mistral-medium-latest',
  'mistral-medium-3.5',
  'mistral-small-latest',
  'mistral-small-2603',
  'magistral-medium-latest',
  'magistral-small-latest',
  'ministral-14b-latest',
  'ministral-8b-latest',
  'ministral-3b-latest',
  'codestral-latest',
  'devstral-latest',
  'devstral-medium-latest',
  'devstral-small-latest',
  'pixtral-large-latest',
  'open-mistral-nemo',
  'mistral-embed',
  'codestral-embed-2505',
  'mistral-moderation-latest',
  'voxtral-mini-latest',
  'mistral-ocr-latest',
]

/** The models that take `reasoning_effort`; the others refuse the field. Source: docs.mistral.ai/capabilities/reasoning/adjustable. That
 *  `mistral-medium-latest` does: (unconfirmed) */
export function takesEffort(model: string): boolean {
  const small = /^mistral-small-(\d{4})/.exec(model)?.[1]
  if (small !== undefined) return Number(small) >= 2603
  return /^mistral-(?:medium-3[.-]5|small-latest|medium-latest)/.test(model)
}
