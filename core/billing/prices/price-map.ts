// Finds a model's entry in a price map. The most specific entry applies: the exact name; otherwise, by length, the name
// without its adapter suffix or the longest key ending in `*`.

export interface PriceMatch<T = number> {
  /** The key of the map that matched. */
  key: string
  value: T
  /** How specific the match is: characters matched, Infinity for the exact name. */
  rank: number
}

/** Suffixes with which adapters request reasoning. A model with a suffix costs the same as without. */
const adapterSuffix = /-(?:thinking(?:-\d+)?|nothinking|none|minimal|low|medium|high|xhigh|max)$/

/** All custom GPTs share one entry. */
export function foldModelName(model: string): string {
  if (model.startsWith('gpt-4-gizmo')) return 'gpt-4-gizmo-*'
  if (model.startsWith('gpt-4o-gizmo')) return 'gpt-4o-gizmo-*'
  return model
}

/** Reads the table where it is: copying one of 20 000 entries takes 10 ms, and a change of prices makes a map of each table. */
export class PriceMap<T = number> {
  readonly #entries: Readonly<Record<string, T>>
  /** Keys ending in `*`, longest first. */
  readonly #prefixes: { prefix: string; key: string; value: T }[] = []

  constructor(entries: Readonly<Record<string, T>> = {}) {
    this.#entries = entries
    for (const key of Object.keys(entries)) {
      const value = key.endsWith('*') ? entries[key] : undefined
      if (value !== undefined) this.#prefixes.push({ prefix: key.slice(0, -1), key, value })
    }
    this.#prefixes.sort((left, right) => right.prefix.length - left.prefix.length)
  }

  find(model: string): PriceMatch<T> | undefined {
    const name = foldModelName(model)
    const own = this.#exact(name)
    if (own !== undefined) return { key: name, value: own, rank: Number.POSITIVE_INFINITY }
    const wildcard = this.#prefixes.find(({ prefix }) => name.startsWith(prefix))
    const base = name.replace(adapterSuffix, '')
    const baseValue = base === name ? undefined : this.#exact(base)
    if (baseValue !== undefined && base.length >= (wildcard?.prefix.length ?? 0)) {
      return { key: base, value: baseValue, rank: base.length }
    }
    return wildcard && { key: wildcard.key, value: wildcard.value, rank: wildcard.prefix.length }
  }

  #exact(name: string): T | undefined {
    return Object.hasOwn(this.#entries, name) ? this.#entries[name] : undefined
  }
}
