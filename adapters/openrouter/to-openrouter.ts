import { isObject, type AttemptContext, type Body } from '#core'
import { withoutDeveloperRole, withoutRefused } from '#adapter-kit'

/** Ways to another model, which OpenRouter would charge for at its own price while the call here keeps the price of the model that was asked
 *  for. The gateway itself tries the models that a client names in `models`. */
const OTHER_MODELS = ['route', 'fallbacks'] as const

/** Source: openrouter.ai/docs, pages "Reasoning tokens", "Usage accounting" and "Model fallbacks". */
export function toOpenrouter(body: Body, context: AttemptContext): Body {
  const fitted = withReasoning(withoutRefused(body, OTHER_MODELS, context.drop), context)
  const counted = isObject(fitted['usage']) ? fitted : { ...fitted, usage: { include: true } }
  return context.model.startsWith('openai/') ? counted : withoutDeveloperRole(counted)
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

/** The value in OpenRouter's own examples for a machine without a public address. */
const NO_ADDRESS = 'http://localhost'

/** Header values are Latin letters; a Chinese name goes out percent-encoded. */
function asHeader(name: string): string {
  return /^[\x20-\x7e]*$/.test(name) ? name : encodeURIComponent(name)
}
