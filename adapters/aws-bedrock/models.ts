// Bedrock's ids of models, and the prefixes of the inference profiles that serve them. Source: docs.aws.amazon.com/bedrock, pages "Supported
// foundation models", "Supported Regions and models for inference profiles" and the model cards.
import { converseModels } from './converse-models.ts'

type ProfilePrefix = 'us' | 'eu' | 'apac' | 'jp' | 'au'

export interface BedrockModel {
  id: string
  /** The model's regional profiles. A `global.` profile leaves the region, so it is used only if a model_mapping
   *  names its full id. */
  profiles: readonly ProfilePrefix[]
  /** Regions that serve it without a profile although one of their prefix exists. */
  plainRegions?: readonly string[]
}

const us = ['us'] as const
const usAndApac = ['us', 'apac'] as const
const withApac = ['us', 'eu', 'apac'] as const
const withJapan = ['us', 'eu', 'jp', 'au'] as const
const withAustralia = ['us', 'eu', 'au'] as const

const CLAUDE: Readonly<Record<string, BedrockModel>> = {
  'claude-3-haiku-20240307': { id: 'anthropic.claude-3-haiku-20240307-v1:0', profiles: withApac },
  'claude-3-sonnet-20240229': { id: 'anthropic.claude-3-sonnet-20240229-v1:0', profiles: withApac },
  'claude-3-opus-20240229': { id: 'anthropic.claude-3-opus-20240229-v1:0', profiles: us },
  'claude-3-5-sonnet-20240620': {
    id: 'anthropic.claude-3-5-sonnet-20240620-v1:0',
    profiles: withApac,
  },
  'claude-3-5-sonnet-20241022': {
    id: 'anthropic.claude-3-5-sonnet-20241022-v2:0',
    profiles: usAndApac,
  },
  'claude-3-5-haiku-20241022': { id: 'anthropic.claude-3-5-haiku-20241022-v1:0', profiles: us },
  'claude-3-7-sonnet-20250219': {
    id: 'anthropic.claude-3-7-sonnet-20250219-v1:0',
    profiles: withApac,
  },
  'claude-sonnet-4-20250514': { id: 'anthropic.claude-sonnet-4-20250514-v1:0', profiles: withApac },
  'claude-opus-4-20250514': { id: 'anthropic.claude-opus-4-20250514-v1:0', profiles: us },
  'claude-opus-4-1-20250805': { id: 'anthropic.claude-opus-4-1-20250805-v1:0', profiles: us },
  'claude-sonnet-4-5-20250929': {
    id: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
    profiles: withJapan,
  },
  'claude-haiku-4-5-20251001': {
    id: 'anthropic.claude-haiku-4-5-20251001-v1:0',
    profiles: withJapan,
  },
  'claude-opus-4-5-20251101': {
    id: 'anthropic.claude-opus-4-5-20251101-v1:0',
    profiles: ['us', 'eu'],
  },
  'claude-opus-4-6': { id: 'anthropic.claude-opus-4-6-v1', profiles: withAustralia },
  'claude-sonnet-4-6': { id: 'anthropic.claude-sonnet-4-6', profiles: withJapan },
  'claude-opus-4-7': { id: 'anthropic.claude-opus-4-7', profiles: withJapan },
  'claude-opus-4-8': { id: 'anthropic.claude-opus-4-8', profiles: withJapan },
  'claude-sonnet-5': { id: 'anthropic.claude-sonnet-5', profiles: withJapan },
  'claude-opus-5': { id: 'anthropic.claude-opus-5', profiles: withJapan },
  'claude-opus-5-5': { id: 'anthropic.claude-opus-5-5', profiles: withJapan },
  'claude-sonnet-5-5': { id: 'anthropic.claude-sonnet-5-5', profiles: withJapan },
  'claude-haiku-5-5': { id: 'anthropic.claude-haiku-5-5', profiles: withJapan },
  'claude-fable-5': { id: 'anthropic.claude-fable-5', profiles: ['us', 'eu'] },
  'claude-fable-5-1': { id: 'anthropic.claude-fable-5-1', profiles: ['us', 'eu'] },
  // The model card of AWS; the one profile is that of @ai-sdk/amazon-bedrock 3.0.145.
  'claude-fable-5-2': { id: 'anthropic.claude-fable-5-2', profiles: ['us'] },
}

/** No longer offered, still known for older channels: beyond their end of life on Bedrock (page "Model lifecycle"; the dates as awslabs/startups and
 *  litellm 1.110.2 copy them). */
const ENDED: ReadonlySet<string> = new Set([
  'claude-3-sonnet-20240229',
  'claude-3-opus-20240229',
  'claude-3-5-sonnet-20240620',
  'claude-3-5-sonnet-20241022',
  'claude-3-5-haiku-20241022',
  'claude-3-7-sonnet-20250219',
  'claude-opus-4-20250514',
  'claude-sonnet-4-20250514',
  'ai21.jamba-1-5-large-v1:0',
  'ai21.jamba-1-5-mini-v1:0',
  'meta.llama3-2-11b-instruct-v1:0',
  'meta.llama3-2-90b-instruct-v1:0',
])

const MODELS: ReadonlyMap<string, BedrockModel> = new Map([
  ...Object.entries(CLAUDE),
  ...Object.entries(converseModels),
])

/** Ids that clients write without their maker. */
const SHORT: ReadonlyMap<string, BedrockModel> = new Map(
  Object.entries(converseModels)
    .filter(([id]) => id.startsWith('amazon.nova-'))
    .map(([id, model]) => [id.slice('amazon.'.length), model]),
)

function modelOf(name: string): BedrockModel | undefined {
  return MODELS.get(name) ?? SHORT.get(name)
}

export const bedrockModels: readonly string[] = [...MODELS.keys()].filter(
  (name) => !ENDED.has(name),
)

/** The profiles of a region, the nearest first. */
function prefixesOf(region: string): ProfilePrefix[] {
  if (region.startsWith('us-')) return ['us']
  if (region.startsWith('eu-')) return ['eu']
  if (/^ap-northeast-[13]$/.test(region)) return ['jp', 'apac']
  if (/^ap-southeast-[246]$/.test(region)) return ['au', 'apac']
  return region.startsWith('ap-') ? ['apac'] : []
}

/** Unknown names go as they are, so that a full id, a prefixed id or an ARN can be mapped to. */
export function bedrockId(model: string, region: string): string {
  const listed = modelOf(model)
  if (listed === undefined) return model
  if (listed.plainRegions?.includes(region)) return listed.id
  const prefix = prefixesOf(region).find((candidate) => listed.profiles.includes(candidate))
  return prefix === undefined ? listed.id : `${prefix}.${listed.id}`
}

const PREFIX = /^(?:us-gov|us|eu|apac|global|jp|au|ca|in)\./

/** The id without a profile's prefix; names of ours become ids. */
export function bareId(model: string): string {
  return modelOf(model)?.id ?? model.replace(PREFIX, '')
}

/** The vendor in an id, also at the end of an ARN: `meta` of `us.meta.llama…`. Undefined where the name has none. */
export function vendorOf(model: string): string | undefined {
  const name = bareId(model.slice(model.lastIndexOf('/') + 1))
  if (name.startsWith('claude')) return 'anthropic'
  return /^([a-z][a-z0-9]*)\./.exec(name)?.[1]
}

/** The vendor of a call's model. The ARN of an application's own profile has none; the client's name for it may. */
export function vendorOfCall({
  model,
  requestedModel,
}: {
  model: string
  requestedModel: string
}): string | undefined {
  return vendorOf(model) ?? vendorOf(requestedModel)
}
