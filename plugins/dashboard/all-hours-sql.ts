// What all users spent, over spans for which the sums by hour and model have more rows than an answer may hold: two
// thousand models that are used each hour make 1.4 million rows a month. The sums by thirds of days have an eighth of
// the rows, and replace the hours of every third within which no step ends.
import { HOUR_SECONDS, THIRD_SECONDS } from './add-hours-sql.ts'

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
  /** Rows by model, each of an hour or a third of a day that lies in one step. Without a step, thirds are used
   *  wherever they lie in the span. */
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

const columns = 'model_name, created_at, token_used, count, quota'

/** The statements expect the values `:start` and `:end`. */
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
    // Each query has one bound on each side: of two bounds SQLite uses the wider one, and reads all hours of the
    // span.
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
