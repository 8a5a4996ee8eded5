// Prices of tools that providers charge for by the call: USD per 1000 calls. Keys are `tool`, `tool:model` and
// `tool:model-prefix*`; a tool with a tier (`web_search_high`) that has no price costs what the plain tool costs.

/** The prices for one model, by tool. */
export function toolPricesFor(
  prices: Readonly<Record<string, number>>,
  model: string,
): Readonly<Record<string, number>> {
  const best = new Map<string, { value: number; rank: number }>()
  for (const [key, value] of Object.entries(prices)) {
    const colon = key.indexOf(':')
    const tool = colon < 0 ? key : key.slice(0, colon)
    const rank = rankOf(colon < 0 ? '*' : key.slice(colon + 1), model)
    if (rank > (best.get(tool)?.rank ?? -1)) best.set(tool, { value, rank })
  }
  inheritFromPlainTool(best)
  return Object.freeze(Object.fromEntries([...best].map(([tool, { value }]) => [tool, value])))
}

/** Tries the tiers from the most specific: `web_search_high_x`, `web_search_high`, `web_search`, `web`. */
export function toolPriceOf(
  prices: Readonly<Record<string, number>>,
  tool: string,
): number | undefined {
  let name = tool
  while (name !== '') {
    if (Object.hasOwn(prices, name)) return prices[name]
    name = name.slice(0, Math.max(0, name.lastIndexOf('_')))
  }
  return undefined
}

function rankOf(pattern: string, model: string): number {
  if (pattern === model) return Number.POSITIVE_INFINITY
  if (!pattern.endsWith('*')) return -1
  const prefix = pattern.slice(0, -1)
  return model.startsWith(prefix) ? prefix.length : -1
}

/** A model's own price for the plain tool has priority over the general price of a tier. */
function inheritFromPlainTool(best: Map<string, { value: number; rank: number }>): void {
  for (const tool of [...best.keys()].sort((left, right) => left.length - right.length)) {
    const plain = best.get(tool.slice(0, Math.max(0, tool.lastIndexOf('_'))))
    const own = best.get(tool)
    if (plain && own && plain.rank > own.rank) best.set(tool, plain)
  }
}
