import type { PluginServices } from '#core'
import type { AnswerStore } from './answer-store.ts'
import type { Figures } from './figures.ts'
import type { Rules } from './rules.ts'

const scopes = ['token', 'user', 'everyone'] as const
/** How many running calls (cache misses) are tracked; for further ones the cost of the answer is unknown. */
const MOST_OPEN = 10_000

/** Registers one cache per scope, because the scope is a property of a cache; only the one that the operator has chosen applies. */
export function cacheAnswers(
  { responseCaches, events }: Pick<PluginServices, 'responseCaches' | 'events'>,
  store: AnswerStore,
  { rules, figures }: { rules: () => Rules; figures: Figures },
): void {
  /** The charge of each call whose answer may be stored, by the id of its request. */
  const costs = new Map<string, number>()
  events.on('relay.settled', ({ requestId, units }) => {
    if (costs.has(requestId)) costs.set(requestId, units)
  })
  for (const scope of scopes)
    responseCaches.add({
      id: scope,
      scope,
      priceShare: () => rules().share,
      applies: (view) => rules().scope === scope && rules().isMeant(view),
      lookup(key, { requestId }) {
        const { lifetimeMs, share } = rules()
        const found = store.get(key, lifetimeMs)
        if (found) {
          figures.hit(Math.max(0, found.units - Math.round(found.units * share)))
          return found.answer
        }
        figures.miss()
        remember(costs, requestId)
        return undefined
      },
      store(key, answer, { requestId }) {
        const units = costs.get(requestId) ?? 0
        costs.delete(requestId)
        store.set(key, { answer, units }, rules().mostBytes)
      },
    })
}

/** A failed call stores no answer and would stay in the map, so the oldest entry makes room. */
function remember(costs: Map<string, number>, requestId: string): void {
  const [oldest] = costs.keys()
  if (costs.size >= MOST_OPEN && oldest !== undefined) costs.delete(oldest)
  costs.set(requestId, 0)
}
