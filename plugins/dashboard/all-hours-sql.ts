// What all users spent, over spans for which the sums by hour and model have more rows than an answer may hold: two
// thousand models that are used each hour make 1.4 million rows a month. A step of the chart is a few ranges of longer
// sums: thirds of days have an eighth of the rows, weeks one in 168.
import { HOUR_SECONDS, THIRD_SECONDS } from './add-hours-sql.ts'
import { MONDAY_OFFSET, WEEK_SECONDS } from './model-weeks-sql.ts'
import { type Part, partsOf, timesOf, type Unit } from './span-parts.ts'
import { signedSums, sumList } from './sums-sql.ts'

export interface Span {
  start: number
  end: number
}

/** A step of the chart: its length in seconds, and how far its start is shifted from the epoch. */
export interface Step {
  seconds: number
  offset: number
}

/** The tables that hold the sums of a span in fewer rows than its hours. */
export interface Summed {
  /** Rows by model, each with a time in its step. Some are taken away: a model whose counts add up to nothing was not
   *  used. */
  table(step?: Step): string
  /** Sums of all models by the hour. */
  totals: string
}

/** The start of the first third within the span, and the end of the last. */
export function thirdsWithin({ start, end }: Span): { from: number; to: number } {
  const lastHour = THIRD_SECONDS - HOUR_SECONDS
  return {
    from: Math.ceil(start / THIRD_SECONDS) * THIRD_SECONDS,
    to: Math.floor((end - lastHour) / THIRD_SECONDS) * THIRD_SECONDS + THIRD_SECONDS,
  }
}

/** Whether a step ends within the third, so that its sum would belong to two steps. */
export function isSplit(third: number, { seconds, offset }: Step): boolean {
  return (third + offset) % seconds > seconds - THIRD_SECONDS
}

interface SummedUnit extends Unit {
  table: string
}

/** The totals expect the values `:start` and `:end`.
 *  @param weeksTo the weeks before this time are summed */
export function sumsOfAll(span: Span, weeksTo: number): Summed {
  const whole = { from: 0, to: Infinity }
  const units: SummedUnit[] = [
    { table: 'weeks', seconds: WEEK_SECONDS, offset: MONDAY_OFFSET, from: 0, to: weeksTo },
    { table: 'thirds', seconds: THIRD_SECONDS, ...whole },
    { table: 'models', seconds: HOUR_SECONDS, ...whole },
  ]
  const inSpan = 'created_at >= :start AND created_at <= :end'
  return {
    table: (step) => tableOf(stepsWithin(span, step), units),
    totals: `(SELECT created_at, ${sumList} FROM dashboard__totals WHERE ${inSpan}) AS totals`,
  }
}

/** A step of the chart by its first second, and its whole hours within the span. */
interface StepWithin {
  at: number
  seconds: number
  from: number
  to: number
}

function stepsWithin(span: Span, step?: Step): StepWithin[] {
  const from = nextHour(span.start)
  const to = nextHour(span.end + 1)
  if (step === undefined) return [{ at: from, seconds: Infinity, from, to }]
  const { seconds, offset } = step
  const first = from - ((from + offset) % seconds)
  return Array.from({ length: Math.max(0, Math.ceil((to - first) / seconds)) }, (_, count) => {
    const at = first + count * seconds
    const end = Math.min(to, nextHour(at + seconds))
    return { at, seconds, from: Math.max(from, nextHour(at)), to: end }
  })
}

/** Sums that are read alike. */
interface Read {
  part: Part<SummedUnit>
  /** By their first seconds. */
  times: number[]
  /** For those that begin outside of their step: the first second of each one's step. */
  steps: number[] | undefined
}

function tableOf(steps: readonly StepWithin[], units: readonly SummedUnit[]): string {
  const now = Math.floor(Date.now() / 1000)
  const reads = new Map<string, Read>()
  for (const { at, seconds, ...range } of steps) {
    const fitting = units.filter((unit) => unit.seconds <= seconds)
    for (const part of partsOf(range, fitting, now)) {
      for (const time of timesOf(part)) {
        const isInside = seconds === Infinity || (time >= at && time < at + seconds)
        const name = `${part.sign} ${part.unit.table} ${isInside}`
        const read = reads.get(name) ?? { part, times: [], steps: isInside ? undefined : [] }
        reads.set(name, read)
        read.times.push(time)
        read.steps?.push(at)
      }
    }
  }
  if (reads.size === 0) return '(SELECT * FROM dashboard__models WHERE FALSE) AS hours'
  return `(${[...reads.values()].map(rowsOf).join(' UNION ALL ')}) AS hours`
}

function rowsOf({ part, times, steps }: Read): string {
  const sums = signedSums(part.sign)
  const table = `dashboard__${part.unit.table}`
  if (steps === undefined)
    return `SELECT model_name, created_at, ${sums.join(', ')} FROM ${table} WHERE ${isOneOf(times, part.unit)}`
  const places = times.map((time, at) => `(${time}, ${steps[at]})`)
  // SQLite reads the tables of a CROSS JOIN in their order, so that each place is looked up.
  return `SELECT model_name, CAST(places.column2 AS BIGINT) AS created_at, ${sums.join(', ')}
    FROM (VALUES ${places.join(', ')}) AS places CROSS JOIN ${table} AS sums WHERE sums.created_at = places.column1`
}

/** A range where there is no gap: both databases know how many rows it has. */
function isOneOf(times: readonly number[], { seconds }: Unit): string {
  const [first = 0] = times
  const last = times.at(-1) ?? first
  return last - first === (times.length - 1) * seconds
    ? `created_at >= ${first} AND created_at <= ${last}`
    : `created_at IN (${times.join(', ')})`
}

function nextHour(time: number): number {
  return Math.ceil(time / HOUR_SECONDS) * HOUR_SECONDS
}
