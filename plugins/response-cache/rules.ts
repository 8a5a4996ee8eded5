import { isObject, narrowedTo, type OptionService, type RelayView, type ResponseCache } from '#core'

export interface Rules {
  scope: ResponseCache['scope']
  /** 0 to 1. */
  share: number
  lifetimeMs: number
  mostBytes: number
  isMeant(view: Pick<RelayView, 'group' | 'model' | 'operation' | 'body'>): boolean
}

/** The values of the options, read when one of them changes instead of on each call. */
export function createRules(options: Pick<OptionService, 'get' | 'onChange'>): () => Rules {
  let rules: Rules | undefined
  options.onChange((key) => {
    if (key.startsWith('ResponseCache')) rules = undefined
  })
  return () => (rules ??= readRules(options))
}

function readRules(options: Pick<OptionService, 'get'>): Rules {
  const isNamed = narrowedTo({
    groups: options.get<string>('ResponseCacheGroups'),
    models: options.get<string>('ResponseCacheModels'),
  })
  const takesAll = options.get<string>('ResponseCacheCalls') === 'all'
  return {
    scope: options.get<Rules['scope']>('ResponseCacheScope'),
    share: options.get<number>('ResponseCachePricePercent') / 100,
    lifetimeMs: options.get<number>('ResponseCacheMinutes') * 60_000,
    mostBytes: options.get<number>('ResponseCacheMegabytes') * 1_048_576,
    isMeant: (view) => isNamed(view) && (takesAll || isDeterministic(view)),
  }
}

/** Embeddings, moderation and reranking are deterministic; chat answers nearly so at temperature 0. */
function isDeterministic({ operation, body }: Pick<RelayView, 'operation' | 'body'>): boolean {
  if (operation !== 'chat' && operation !== 'completions') return true
  // Google accepts both spellings.
  const config = body?.['generationConfig'] ?? body?.['generation_config']
  return body?.['temperature'] === 0 || (isObject(config) && config['temperature'] === 0)
}
