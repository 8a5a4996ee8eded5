// What everybody spent, over spans in which there are more rows of hour and model than an answer has: two thousand models used each hour are a
// million a month. Thirds of days have an eighth of them, and hold wherever no step ends within.
import { HOUR_SECONDS, THIRD_SECONDS } from './add-hours-sql.ts'

export interface Span {
  start: number
  end: number
}

/** Seconds of one row, and how far its start is from that of the epoch. */
export interface Step {
  seconds: number
  offset: number
}

/** What says the same of a span as its hours, in fewer rows. */
export interface Summed {
  /** By model, by the hour or more where all of it is of one step; without a step, of the span. */
  table(step?: Step): string
  /** Of all models, by the hour. */
  totals: string
}

/** The first of those that lie within the span, and the end of the last. */
export function thirdsWithin({ start, end }: Span): { from: number; to: number } {
  const lastHour = THIRD_SECONDS - HOUR_SECONDS
  return {
    from: Math.ceil(start / THIRD_SECONDS) * THIRD_SECONDS,
    to: Math.floor((end - lastHour) / THIRD_SECONDS) * THIRD_SECONDS + THIRD_SECONDS,
  }
}

/** Whether a step ends within a third. */
export function isSplit(third: number, { seconds, offset }: Step): boolean {
  return (third + offset) % seconds > seconds - THIRD_SECONDS
}

const columns = 'model_name, created_at, token_used, count, quota'

/** Takes `:start` and `:end`. */
export function sumsOfAll(span: Span): Summed {
  const inSpan = 'created_at >= :start AND created_at <= :end'
  return {
    table: (step) => thirdsOfAll(span, step),
    totals: `(SELECT created_at, token_used, count, quota FROM dashboard__totals WHERE ${inSpan}) AS totals`,
  }
}

function thirdsOfAll(span: Span, step?: Step): string {
  const hours = (isInSpan: string) => `SELECT ${columns} FROM dashboard__models WHERE ${isInSpan}`
  const { from, to } = thirdsWithin(span)
  if (from >= to) return `(${hours('created_at >= :start AND created_at <= :end')}) AS hours`
  const split: number[] = []
  for (let third = from; step !== undefined && third < to; third += THIRD_SECONDS)
    if (isSplit(third, step)) split.push(third)
  const splitHours = split.flatMap((third) =>
    Array.from({ length: THIRD_SECONDS / HOUR_SECONDS }, (_, at) => third + at * HOUR_SECONDS),
  )
  const thirds = `SELECT ${columns} FROM dashboard__thirds WHERE created_at >= ${from} AND created_at < ${to}`
  const parts = [
    // One bound on each side, for of two SQLite takes the wider, and reads all hours of the span.
    hours(`created_at >= :start AND created_at < ${from}`),
    hours(`created_at >= ${to} AND created_at <= :end`),
    ...(split.length === 0
      ? [thirds]
      : [
          `${thirds} AND created_at NOT IN (${split.join(', ')})`,
          hours(`created_at IN (${splitHours.join(', ')})`),
        ]),
  ]
  return `(${parts.join(' UNION ALL ')}) AS hours`
}
