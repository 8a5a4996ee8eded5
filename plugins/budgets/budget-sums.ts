// One budget with its current period and the sums spent in it.
import { isModelNamed } from '#core'
import type { Calendar, Span } from './calendar.ts'
import type { SpentKey, SpentRow } from './spent-sql.ts'
import type { Budget } from './schema.ts'

/** The facts of a call by which budgets are chosen. */
export interface CallFacts {
  userId: number
  tokenId: number
  group: string
  model: string
}

export interface Sum {
  readonly key: SpentKey
  /** The sum of all nodes, as last read or written. */
  known: number
  /** Units that this node has counted and not written yet. */
  unsaved: number
  /** Who has spent last; 0 if unknown. */
  userId: number
  warnedPercent: number
}

export const unitsOf = ({ known, unsaved }: Sum): number => known + unsaved

export class BudgetSums {
  readonly budget: Budget
  readonly #calendar: Calendar
  #span: Span = { start: 0, end: 0 }
  #sums = new Map<number, Sum>()

  constructor(budget: Budget, calendar: Calendar) {
    this.budget = budget
    this.#calendar = calendar
  }

  isFor({ userId, tokenId, group, model }: CallFacts): boolean {
    const { budget } = this
    return (
      budget.enabled &&
      (budget.user_id === 0 || budget.user_id === userId) &&
      (budget.token_id === 0 || budget.token_id === tokenId) &&
      (budget.group === '' || budget.group === group) &&
      // The playground has no token, so budgets per token do not count it.
      (budget.count !== 'token' || tokenId > 0) &&
      (budget.model === '' || isModelNamed(model, budget.model))
    )
  }

  subjectOf({ userId, tokenId }: Pick<CallFacts, 'userId' | 'tokenId'>): number {
    if (this.budget.count === 'all') return 0
    return this.budget.count === 'user' ? userId : tokenId
  }

  spanAt(nowMs: number): Span {
    const span = this.#calendar.spanAt(this.budget.period, nowMs)
    if (span.start !== this.#span.start) {
      this.#span = span
      // Sums that are not written yet are kept by the code that writes them.
      this.#sums = new Map()
    }
    return span
  }

  used(subject: number, nowMs: number): number {
    this.spanAt(nowMs)
    const sum = this.#sums.get(subject)
    return sum ? unitsOf(sum) : 0
  }

  sumOf(subject: number, nowMs: number): Sum {
    const { start } = this.spanAt(nowMs)
    const old = this.#sums.get(subject)
    if (old) return old
    const key = { budget_id: this.budget.id, begins_at: start, subject }
    const sum: Sum = { key, known: 0, unsaved: 0, userId: 0, warnedPercent: 0 }
    this.#sums.set(subject, sum)
    return sum
  }

  /** Takes a row of the table, unless it belongs to another period. */
  take(row: SpentRow, nowMs: number): void {
    if (row.begins_at !== this.spanAt(nowMs).start) return
    const sum = this.sumOf(row.subject, nowMs)
    sum.known = row.units
    sum.warnedPercent = Math.max(sum.warnedPercent, row.warned_percent)
  }

  /** When the period of a sum ends, formatted for people. */
  renewsAt({ key }: Sum): string {
    return this.#calendar.shown(this.#calendar.spanAt(this.budget.period, key.begins_at).end)
  }

  sums(nowMs: number): Iterable<Sum> {
    this.spanAt(nowMs)
    return this.#sums.values()
  }
}
