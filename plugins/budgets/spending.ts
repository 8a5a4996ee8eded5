// Tracks what was spent of each budget in its period, in memory on each node. Calls only read and add in memory. What
// this node adds is written in one transaction within WRITE_MS, and what others have written is read every few seconds.
import type { DatabaseService, Logger, RelaySettled } from '#core'
import { BudgetSums, type CallFacts, type Sum } from './budget-sums.ts'
import { selectBudgets } from './budgets-sql.ts'
import { Calendar } from './calendar.ts'
import { addSpent, spentSince, type SpentRow } from './spent-sql.ts'
import { periods } from './schema.ts'

const WRITE_MS = 500
/** The most sums per transaction. */
const MOST_WRITTEN = 500
/** A row gets its time before it is committed, so rows that others were committing are read again. */
const OVERLAP_MS = 10_000

export const BUDGETS_CHANGED = 'budgets.changed'

export interface SpendingDeps {
  database: DatabaseService
  log: Logger
  timeZone(): string
  /** Called with each sum that this node has written. */
  onWritten(sums: BudgetSums, sum: Sum): Promise<void>
  now?: () => number
}

/** Sums as the table has them. */
interface Reading {
  rows: readonly SpentRow[]
  /** The beginning of the day on which it was read. */
  day: number
  nowMs: number
}

export class Spending {
  readonly #deps: SpendingDeps
  readonly #now: () => number
  #calendar: Calendar
  #byId = new Map<number, BudgetSums>()
  #ofUser = new Map<number, BudgetSums[]>()
  #ofAny: BudgetSums[] = []
  #unsaved = new Set<Sum>()
  #newestMs = 0
  /** The beginning of the day that was read last. */
  #readDay = 0
  #timer: NodeJS.Timeout | undefined
  /** Reads and writes run one after the other, so that an older value never overwrites a newer one. */
  #turn: Promise<void> = Promise.resolve()

  constructor(deps: SpendingDeps) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
    this.#calendar = new Calendar(deps.timeZone())
  }

  get calendar(): Calendar {
    return this.#calendar
  }

  get isEmpty(): boolean {
    return this.#byId.size === 0
  }

  all(): Iterable<BudgetSums> {
    return this.#byId.values()
  }

  /** The budgets that count this call. */
  *of(call: CallFacts): Generator<BudgetSums> {
    for (const sums of this.#ofUser.get(call.userId) ?? []) if (sums.isFor(call)) yield sums
    for (const sums of this.#ofAny) if (sums.isFor(call)) yield sums
  }

  /** The first budget that is used up. */
  exhausted(call: CallFacts): BudgetSums | undefined {
    const now = this.#now()
    for (const sums of this.of(call))
      if (sums.used(sums.subjectOf(call), now) >= sums.budget.limit) return sums
    return undefined
  }

  add(call: Pick<RelaySettled, keyof CallFacts | 'units'>): void {
    if (call.units <= 0) return
    const now = this.#now()
    for (const sums of this.of(call)) {
      const sum = sums.sumOf(sums.subjectOf(call), now)
      sum.unsaved += call.units
      sum.userId = call.userId
      this.#unsaved.add(sum)
    }
    // A separate timer, because after a swap under load the old generation still has to write its sums.
    if (this.#unsaved.size > 0)
      this.#timer ??= setTimeout(() => void this.write(), WRITE_MS).unref()
  }

  /** Writes what this node has added. If it fails, it is tried again with the next write. */
  write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    return this.#inTurn(() => this.#write()).catch(() => undefined)
  }

  /** Reads what other nodes have written since, and writes what could not be written before, because there may be no further call.
   *  Reads everything again in a new time zone, as long as that has failed. */
  refresh(): Promise<void> {
    if (this.#unsaved.size > 0 && this.#timer === undefined) void this.write()
    const isOtherZone = this.#calendar.timeZone !== this.#deps.timeZone()
    return (isOtherZone ? this.reload() : this.#inTurn(() => this.#read())).catch(() => undefined)
  }

  /** Reads budgets and sums again. The sums of the budget `forgotten` are dropped. Calls use the old values until
   *  everything is read.
   *  @throws errors of the database */
  reload(forgotten?: number): Promise<void> {
    return this.#inTurn(async () => {
      const { database, timeZone } = this.#deps
      const calendar = new Calendar(timeZone())
      const budgets = await selectBudgets(database)
      const byId = new Map(budgets.map((budget) => [budget.id, new BudgetSums(budget, calendar)]))
      const reading = budgets.length > 0 ? await this.#rowsOf(calendar, 0) : undefined
      this.#calendar = calendar
      this.#keepUnsaved(byId, forgotten)
      this.#byId = byId
      const all = [...byId.values()]
      this.#ofUser = Map.groupBy(
        all.filter(({ budget }) => budget.user_id > 0),
        ({ budget }) => budget.user_id,
      )
      this.#ofAny = all.filter(({ budget }) => budget.user_id === 0)
      this.#newestMs = 0
      if (reading) this.#take(reading)
    })
  }

  /** Keeps counting what is not written yet. */
  #keepUnsaved(byId: ReadonlyMap<number, BudgetSums>, forgotten: number | undefined): void {
    const now = this.#now()
    const old = [...this.#unsaved]
    this.#unsaved = new Set()
    for (const { key, unsaved, userId } of old) {
      const sums = byId.get(key.budget_id)
      if (!sums || key.budget_id === forgotten || unsaved === 0) continue
      const isCurrent = sums.spanAt(now).start === key.begins_at
      const sum = isCurrent
        ? sums.sumOf(key.subject, now)
        : { key, known: 0, unsaved: 0, userId, warnedPercent: 100 }
      sum.unsaved += unsaved
      sum.userId = userId
      this.#unsaved.add(sum)
    }
  }

  async #write(): Promise<void> {
    while (this.#unsaved.size > 0) {
      // In the same order everywhere, so that two nodes wait for each other instead of deadlocking.
      const batch = [...this.#unsaved].sort(byKey).slice(0, MOST_WRITTEN)
      const taken = batch.map((sum) => ({ sum, units: sum.unsaved }))
      const { database } = this.#deps
      const rows = await database.transaction((transaction) =>
        inOrder(taken, ({ sum, units }) => addSpent(database, { ...sum.key, units }, transaction)),
      )
      for (const [at, { sum, units }] of taken.entries()) {
        sum.unsaved -= units
        if (sum.unsaved === 0) this.#unsaved.delete(sum)
        const row = rows[at]
        if (row) await this.#written(sum, row)
        else this.#unsaved.delete(sum)
      }
    }
  }

  async #written(sum: Sum, row: SpentRow): Promise<void> {
    sum.known = row.units
    sum.warnedPercent = Math.max(sum.warnedPercent, row.warned_percent)
    const sums = this.#byId.get(sum.key.budget_id)
    if (sums) await this.#deps.onWritten(sums, sum)
  }

  async #read(): Promise<void> {
    if (this.#byId.size === 0) return
    this.#take(await this.#rowsOf(this.#calendar, this.#newestMs))
  }

  /** The sums of the running periods that have changed since; all of them on a new day. */
  async #rowsOf(calendar: Calendar, newestMs: number): Promise<Reading> {
    const nowMs = this.#now()
    const [day = 0, week = 0, month = 0] = periods.map(
      (period) => calendar.spanAt(period, nowMs).start,
    )
    // The clock of this node may have been set back into a period that it has dropped.
    const isOther = this.#readDay !== day
    const changedMs = isOther ? 0 : Math.max(0, newestMs - OVERLAP_MS)
    const after = { changedMs, overlapMs: OVERLAP_MS }
    const rows = await spentSince(this.#deps.database, after, [day, week, month])
    return { rows, day, nowMs }
  }

  #take({ rows, day, nowMs }: Reading): void {
    this.#readDay = day
    for (const row of rows) {
      this.#newestMs = Math.max(this.#newestMs, row.changed_ms)
      this.#byId.get(row.budget_id)?.take(row, nowMs)
    }
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work)
    this.#turn = done.catch((error: unknown) =>
      this.#deps.log.warn({ err: error }, 'what was spent of budgets could not be read or written'),
    )
    return done
  }
}

function byKey({ key: one }: Sum, { key: other }: Sum): number {
  return (
    one.budget_id - other.budget_id ||
    one.begins_at - other.begins_at ||
    one.subject - other.subject
  )
}

async function inOrder<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const item of items) results.push(await work(item))
  return results
}
