import { isObject, type AttemptContext, type Body } from '#core'
import { withoutDeveloperRole, withoutRefused } from '#adapter-kit'

/** Ways to another model, which OpenRouter would charge for at its own price while the call here keeps the price of the model that was asked
 *  for. The gateway itself tries the models that a client names in `models`. */
const OTHER_MODELS = ['route', 'fallbacks'] as const

/** What of `provider` bounds the choice of a provider without naming one. Whoever names one, or sorts by something else than the price, makes the
 *  same model dearer. Source: openrouter.ai/docs, page "Provider routing". */
const PLAIN_ROUTING: ReadonlySet<string> = new Set([
  'allow_fallbacks',
  'data_collection',
  'enforce_distillable_text',
  'max_price',
  'require_parameters',
  'zdr',
])

/** Source: openrouter.ai/docs, pages "Reasoning tokens", "Usage accounting" and "Model fallbacks". */
export function toOpenrouter(body: Body, context: AttemptContext): Body {
  const priced = withPlainRouting(withoutRefused(body, OTHER_MODELS, context.drop), context)
  const asked = withReasoning(priced, context)
  const counted = isObject(asked['usage']) ? asked : { ...asked, usage: { include: true } }
  return context.model.startsWith('openai/') ? counted : withoutDeveloperRole(counted)
}

function withPlainRouting(body: Body, { channel, drop }: AttemptContext): Body {
  const { provider, ...rest } = body
  if (!isObject(provider) || channel.setting['allow_service_tier'] === true) return body
  const isPlain = ([name, value]: [string, unknown]) =>
    PLAIN_ROUTING.has(name) || (name === 'sort' && value === 'price')
  const dropped = Object.entries(provider).filter((entry) => !isPlain(entry))
  if (dropped.length === 0) return body
  for (const [name] of dropped) drop(`provider.${name}`)
  const kept = Object.entries(provider).filter(isPlain)
  return kept.length === 0 ? rest : { ...rest, provider: Object.fromEntries(kept) }
}

function withReasoning(body: Body, { resolved }: AttemptContext): Body {
  const { reasoning_effort: effort, ...rest } = body
  if (isObject(body['reasoning'])) return rest
  if (effort !== undefined) return { ...rest, reasoning: { effort } }
  return resolved.thinking ? { ...body, reasoning: { enabled: true } } : body
}

/** OpenRouter lists its callers by these two: the client's own words, else those of the gateway's owner. */
export function attribution({
  clientHeaders,
  options,
}: Pick<AttemptContext, 'clientHeaders' | 'options'>): Record<string, string> {
  return {
    'http-referer':
      clientHeaders['http-referer'] ?? (options.get<string>('ServerAddress') || NO_ADDRESS),
    'x-title': clientHeaders['x-title'] ?? asHeader(options.get<string>('SystemName')),
  }
}

/** What OpenRouter's own examples send from a machine without a public address. */
const NO_ADDRESS = 'http://localhost'

/** Header values are Latin letters; a Chinese name goes out percent-encoded. */
function asHeader(name: string): string {
  return /^[\x20-\x7e]*$/.test(name) ? name : encodeURIComponent(name)
}
