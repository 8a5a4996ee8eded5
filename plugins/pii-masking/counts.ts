import type { PluginServices } from '#core'
import { addCounts, type CountRow, countsSince, dropCountsBefore } from './counts-sql.ts'
import { countedKinds, type CountedKind, type MaskingFigures } from './schema.ts'

const DAY_MS = 86_400_000
const SHOWN_DAYS = 30
const KEPT_DAYS = 400
/** Counts the calls in which anything was found, beside the counts of each kind. */
const CALLS = 'calls'

/** Counts what was found, by kind and day in UTC. A call adds to memory only; the sums are written together. */
export class MaskingCounts {
  readonly #services: Pick<PluginServices, 'database' | 'log'>
  #waiting = new Map<string, CountRow>()
  /** Writes run one after another. */
  #writing: Promise<void> = Promise.resolve()

  constructor(services: Pick<PluginServices, 'database' | 'log'>) {
    this.#services = services
  }

  add(found: ReadonlyMap<CountedKind, number>): void {
    const day = dayOf(Date.now())
    for (const [kind, count] of [[CALLS, 1] as const, ...found]) {
      const key = `${day} ${kind}`
      const row = this.#waiting.get(key)
      if (row) row.count += count
      else this.#waiting.set(key, { day, kind, count })
    }
  }

  /** Counts that could not be written are written together with the next ones. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async sweep(): Promise<void> {
    await dropCountsBefore(this.#services.database, dayOf(Date.now() - KEPT_DAYS * DAY_MS))
  }

  async figures(): Promise<MaskingFigures> {
    await this.flush()
    const now = Date.now()
    const rows = await countsSince(this.#services.database, dayOf(now - (SHOWN_DAYS - 1) * DAY_MS))
    const calls = rows.filter(({ kind }) => kind === CALLS)
    const week = dayOf(now - 6 * DAY_MS)
    return {
      days: [...Map.groupBy(rows, ({ day }) => day)].map(([day, ofDay]) => ({
        day,
        kinds: kindsOf(ofDay),
      })),
      calls: { week: sumOf(calls.filter(({ day }) => day >= week)), month: sumOf(calls) },
    }
  }

  async #write(): Promise<void> {
    if (this.#waiting.size === 0) return
    const rows = [...this.#waiting.values()]
    this.#waiting = new Map()
    try {
      await addCounts(this.#services.database, rows)
    } catch (error) {
      this.#services.log.warn({ err: error }, 'the counts of masked data could not be written')
      for (const row of rows) this.#putBack(row)
    }
  }

  #putBack(row: CountRow): void {
    const key = `${row.day} ${row.kind}`
    this.#waiting.set(key, { ...row, count: row.count + (this.#waiting.get(key)?.count ?? 0) })
  }
}

function kindsOf(rows: readonly CountRow[]): Partial<Record<CountedKind, number>> {
  const counts = new Map(rows.map(({ kind, count }) => [kind, count]))
  return Object.fromEntries(
    countedKinds.flatMap((kind) => {
      const count = counts.get(kind)
      return count === undefined ? [] : [[kind, count]]
    }),
  )
}

function sumOf(rows: readonly CountRow[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0)
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
