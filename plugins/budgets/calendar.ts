// Days, weeks and months in a time zone, including daylight saving time.
import type { Period } from './schema.ts'

export interface Span {
  /** Unix milliseconds; the end is the first moment of the next span. */
  start: number
  end: number
}

interface Day {
  year: number
  month: number
  day: number
}

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

export class Calendar {
  readonly timeZone: string
  readonly #parts: Intl.DateTimeFormat
  readonly #known = new Map<Period, Span>()

  /** @throws RangeError for an unknown time zone */
  constructor(timeZone: string) {
    this.timeZone = timeZone
    this.#parts = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  }

  /** The period that contains a moment. Weeks begin on Monday. */
  spanAt(period: Period, ms: number): Span {
    const cached = this.#known.get(period)
    if (cached && ms >= cached.start && ms < cached.end) return cached
    const span = this.#spanAt(period, ms)
    this.#known.set(period, span)
    return span
  }

  /** The moment as people in that zone write it. */
  shown(ms: number): string {
    const { year, month, day, hour, minute } = this.#read(ms)
    const two = (value: number) => String(value).padStart(2, '0')
    return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)} (${this.timeZone})`
  }

  #spanAt(period: Period, ms: number): Span {
    const { year, month, day } = this.#read(ms)
    if (period === 'month')
      return this.#between({ year, month, day: 1 }, { year, month: month + 1, day: 1 })
    if (period === 'day') return this.#between({ year, month, day }, { year, month, day: day + 1 })
    const sinceMonday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7
    const monday = day - sinceMonday
    return this.#between({ year, month, day: monday }, { year, month, day: monday + 7 })
  }

  #between(first: Day, next: Day): Span {
    return { start: this.#midnight(first), end: this.#midnight(next) }
  }

  /** The first moment of the day, even where clocks skip midnight. A day or month beyond the last one counts on into the next. */
  #midnight({ year, month, day }: Day): number {
    const wanted = Date.UTC(year, month - 1, day)
    let at = wanted - this.#offset(wanted)
    at = wanted - this.#offset(at)
    // In the skipped hour, the offset from before it leads to the previous evening.
    return this.#localOf(at) < wanted ? at + (wanted - this.#localOf(at)) : at
  }

  #offset(ms: number): number {
    return this.#localOf(ms) - ms
  }

  /** The local time there, as if it were UTC. */
  #localOf(ms: number): number {
    const { year, month, day, hour, minute, second } = this.#read(ms)
    return Date.UTC(year, month - 1, day, hour, minute, second)
  }

  #read(ms: number) {
    const values: Record<string, number> = {}
    for (const { type, value } of this.#parts.formatToParts(ms)) values[type] = Number(value)
    const of = (name: string) => values[name] ?? 0
    return {
      year: of('year'),
      month: of('month'),
      day: of('day'),
      hour: of('hour'),
      minute: of('minute'),
      second: of('second'),
    }
  }
}
