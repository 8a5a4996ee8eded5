// Bedrock's ids of Claude models, and the regions whose profiles serve them. Source: docs.aws.amazon.com/bedrock, pages "Supported foundation
// models" and "Supported Regions and models for inference profiles".

interface BedrockModel {
  id: string
  /** The prefixes of inference profiles that AWS has for it; `us` has all. */
  profiles: readonly ('us' | 'eu' | 'apac')[]
}

const us = ['us'] as const
const usAndApac = ['us', 'apac'] as const
const all = ['us', 'eu', 'apac'] as const

const MODELS: Readonly<Record<string, BedrockModel>> = {
  'claude-3-haiku-20240307': { id: 'anthropic.claude-3-haiku-20240307-v1:0', profiles: all },
  'claude-3-sonnet-20240229': { id: 'anthropic.claude-3-sonnet-20240229-v1:0', profiles: all },
  'claude-3-opus-20240229': { id: 'anthropic.claude-3-opus-20240229-v1:0', profiles: us },
  'claude-3-5-sonnet-20240620': { id: 'anthropic.claude-3-5-sonnet-20240620-v1:0', profiles: all },
  'claude-3-5-sonnet-20241022': {
    id: 'anthropic.claude-3-5-sonnet-20241022-v2:0',
    profiles: usAndApac,
  },
  'claude-3-5-haiku-20241022': { id: 'anthropic.claude-3-5-haiku-20241022-v1:0', profiles: us },
  'claude-3-7-sonnet-20250219': { id: 'anthropic.claude-3-7-sonnet-20250219-v1:0', profiles: all },
  'claude-sonnet-4-20250514': { id: 'anthropic.claude-sonnet-4-20250514-v1:0', profiles: all },
  'claude-opus-4-20250514': { id: 'anthropic.claude-opus-4-20250514-v1:0', profiles: us },
  'claude-opus-4-1-20250805': { id: 'anthropic.claude-opus-4-1-20250805-v1:0', profiles: us },
  'claude-sonnet-4-5-20250929': { id: 'anthropic.claude-sonnet-4-5-20250929-v1:0', profiles: all },
  'claude-haiku-4-5-20251001': { id: 'anthropic.claude-haiku-4-5-20251001-v1:0', profiles: all },
  'claude-opus-4-5-20251101': { id: 'anthropic.claude-opus-4-5-20251101-v1:0', profiles: all },
  'claude-opus-4-6': { id: 'anthropic.claude-opus-4-6-v1', profiles: all },
  // vercel/ai lists it with -v1 (unconfirmed).
  'claude-sonnet-4-6': { id: 'anthropic.claude-sonnet-4-6', profiles: all },
  'claude-opus-4-7': { id: 'anthropic.claude-opus-4-7', profiles: all },
  'claude-opus-4-8': { id: 'anthropic.claude-opus-4-8', profiles: us },
  'claude-sonnet-5': { id: 'anthropic.claude-sonnet-5', profiles: all },
  'claude-fable-5': { id: 'anthropic.claude-fable-5', profiles: us },
}

export const bedrockModels: readonly string[] = Object.keys(MODELS)

/** The profile's prefix is the first part of the region; ap- regions share one. The newer `global.`, `jp.` and `au.` differ by model
 *  (unconfirmed): a model_mapping to the full id says them. */
const PREFIXES: Readonly<Record<string, 'us' | 'eu' | 'apac'>> = { us: 'us', eu: 'eu', ap: 'apac' }

/** Unknown names go as they are, so that a full id, a prefixed id or an ARN can be mapped to. */
export function bedrockId(model: string, region: string): string {
  const known = MODELS[model]
  if (known === undefined) return model
  const prefix = PREFIXES[region.slice(0, region.indexOf('-'))]
  return prefix !== undefined && known.profiles.includes(prefix)
    ? `${prefix}.${known.id}`
    : known.id
}
