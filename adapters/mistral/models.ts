// Source: docs.mistral.ai, page "Models overview".
export const mistralModels: readonly string[] = [
  'mistral-large-latest',
  'mistral-large-2512',
  'mistral-medium-latest',
  'mistral-medium-3.5',
  'mistral-medium-2508',
  'mistral-small-latest',
  'mistral-small-2603',
  'mistral-small-2506',
  'magistral-medium-latest',
  'magistral-small-latest',
  'ministral-14b-latest',
  'ministral-8b-latest',
  'ministral-3b-latest',
  'codestral-latest',
  'devstral-medium-latest', // (unconfirmed)
  'devstral-small-latest', // (unconfirmed)
  'pixtral-large-latest',
  'pixtral-12b',
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
