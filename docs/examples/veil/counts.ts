// How much was hidden, never what.
import type { DatabaseService } from 'tollgate/contract'
import type { Kind } from './find.ts'

export interface DayCount {
  /** `2026-01-31`, UTC. */
  day: string
  kind: Kind
  hidden: number
}

export class Counts {
  readonly #database: DatabaseService
  #open = new Map<Kind, number>()

  constructor(database: DatabaseService) {
    this.#database = database
  }

  add(kind: Kind): void {
    this.#open.set(kind, (this.#open.get(kind) ?? 0) + 1)
  }

  /** Adds what was counted since the last time; what cannot be written is written with the next. */
  async write(): Promise<void> {
    const open = this.#open
    this.#open = new Map()
    const day = new Date().toISOString().slice(0, 10)
    for (const [kind, hidden] of open) {
      try {
        await this.#database.run(
          'INSERT INTO veil__counts (day, kind, hidden) VALUES (:day, :kind, :hidden) ON CONFLICT (day, kind) DO UPDATE SET hidden = veil__counts.hidden + excluded.hidden',
          { day, kind, hidden },
        )
      } catch (error) {
        for (let again = 0; again < hidden; again += 1) this.add(kind)
        throw error
      }
    }
  }

  byDay(limit: number): Promise<DayCount[]> {
    return this.#database.select<DayCount>(
      'SELECT day, kind, hidden FROM veil__counts WHERE day IN (SELECT DISTINCT day FROM veil__counts ORDER BY day DESC LIMIT :limit) ORDER BY day DESC, kind',
      { limit },
    )
  }
}
