// Options that clients may set in a passed-through body and for which the upstream charges more. The gateway's price
// does not cover them, so they are sent on only where the channel allows it (setting `allow_service_tier`).
import type { AttemptContext, Body } from '../../../contract/adapter.ts'
import type { ChatDialect } from '../../../contract/dialect.ts'
import { isObject, type JsonObject } from '../../../contract/json.ts'
import { unsupportedParameter } from '../../../dialects/neutral/request-errors.ts'

type Context = Pick<AttemptContext, 'channel' | 'drop'>

/** Service tiers at the usual price, in the words of all dialects. */
const plainTiers: ReadonlySet<unknown> = new Set(
  'auto default standard standard_only unspecified'.split(' '),
)

/** Google accepts both spellings of the field. */
const tierFields = ['service_tier', 'serviceTier']

/** The body without paid options; the same object if it has none.
 *  @throws request.unsupported_parameter for a region: without it the answer might come from where the client does not
 *  want it */
export function withoutPaidWishes(body: Body, dialect: ChatDialect, context: Context): Body {
  if (context.channel.setting['allow_service_tier'] === true) return body
  const tiers = tierFields.filter((name) => isPaidTier(body[name]))
  const rest = withoutFields(body, tiers, context)
  return dialect === 'anthropic-messages' ? withoutClaudeWishes(rest, context) : rest
}

function withoutClaudeWishes(body: Body, context: Context): Body {
  refuseRegion(body)
  const rest = isFast(body) ? withoutFields(body, ['speed'], context) : body
  return withoutAdvisor(withoutFallbacks(rest, context), context)
}

export function isPaidTier(tier: unknown): boolean {
  if (tier === undefined || tier === null) return false
  const name = typeof tier === 'string' ? tier.toLowerCase().replace(/^service_tier_/, '') : tier
  return !plainTiers.has(name)
}

/** Anthropic's fast mode costs a multiple of the model's price (platform.claude.com, fast mode). */
function isFast({ speed }: JsonObject): boolean {
  return speed !== undefined && speed !== null && speed !== 'standard'
}

/** Anthropic charges a tenth more for a region of the client's choice (platform.claude.com, data residency). */
function refuseRegion({ inference_geo: region }: JsonObject): void {
  if (region === undefined || region === null || region === 'global') return
  throw unsupportedParameter('inference_geo', 'the region cannot be chosen here')
}

function withoutFields(body: Body, names: readonly string[], context: Context): Body {
  if (names.length === 0) return body
  for (const name of names) context.drop(name)
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
}

/** Removes fallback models that the client chose for when the first one declines: they have prices of their own.
 *  `default` leaves the choice to the provider and stays. */
function withoutFallbacks(body: Body, context: Context): Body {
  return Array.isArray(body.fallbacks) ? withoutFields(body, ['fallbacks'], context) : body
}

/** Removes Anthropic's advisor: a second, more expensive model chosen by the client, which the upstream calls by itself. */
function withoutAdvisor(body: Body, context: Context): Body {
  if (!Array.isArray(body.tools)) return body
  const given = body.tools as unknown[]
  const kept = given.filter((tool) => !isAdvisor(tool))
  if (kept.length === given.length) return body
  context.drop('tools.advisor')
  const { tools: _tools, ...rest } = body
  return kept.length === 0 ? rest : { ...rest, tools: kept }
}

function isAdvisor(tool: unknown): boolean {
  return isObject(tool) && typeof tool['type'] === 'string' && tool['type'].startsWith('advisor_')
}
