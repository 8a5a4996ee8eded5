import type { PluginServices } from '#core'
import { budgetExhausted } from './budget-errors.ts'
import type { Spending } from './spending.ts'

/** Refuses calls whose budget is used up, and counts what the others cost. Running calls are not cut off, so a budget
 *  is overdrawn by the cost of the calls that were running when it was reached. */
export function limitCalls(
  { relayHooks, events }: Pick<PluginServices, 'relayHooks' | 'events'>,
  spending: Spending,
): void {
  events.on('relay.settled', (call) => spending.add(call))
  relayHooks.add({
    id: 'budgets',
    stage: 'relay.admit',
    onFailure: 'open',
    applies: () => !spending.isEmpty,
    run(view) {
      const sums = spending.exhausted(view)
      if (!sums) return
      const now = Date.now()
      const { end } = sums.spanAt(now)
      throw budgetExhausted(
        { name: sums.budget.name, when: spending.calendar.shown(end) },
        { headers: { 'retry-after': String(Math.max(1, Math.ceil((end - now) / 1000))) } },
      )
    },
  })
}
