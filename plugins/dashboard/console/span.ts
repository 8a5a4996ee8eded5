// The span of time on the screen, and its steps in the time zone of the browser.
import { formatTime } from '#console'
import type { Step } from './series.ts'

export const ranges = ['1d', '7d', '30d', '90d', '1y'] as const
export type Range = (typeof ranges)[number]

const daysOf: Record<Range, number> = { '1d': 1, '7d': 7, '30d': 30, '90d': 90, '1y': 365 }
/** The longest span that the call of a user's own figures accepts. */
export const ownRanges = ranges.filter((range) => daysOf[range] <= 30)

export interface Span {
  start: number
  end: number
}

const ONE_HOUR_S = 3600
const MOST_STEPS = 2000

/** One day means the last 24 hours; several days are whole days, today included. */
export function spanOf(range: Range, now: Date): Span {
  const end = Math.floor(now.getTime() / 1000)
  if (range === '1d') return { start: end - (end % ONE_HOUR_S) - 23 * ONE_HOUR_S, end }
  const days = daysOf[range] - 1
  const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days)
  return { start: first.getTime() / 1000, end }
}

/** The bounds as the address has them. A missing start is a day before the end, a missing end is now. */
export function wholeSpan(start: string, end: string, now: Date) {
  const nowSeconds = Math.floor(now.getTime() / 1000)
  const isChosen = start !== '' || end !== ''
  return {
    start_timestamp: start === '' && isChosen ? String(Number(end) - 24 * ONE_HOUR_S) : start,
    end_timestamp: end === '' && isChosen ? String(nowSeconds) : end,
  }
}

/** The first seconds of all steps that the span touches, in local time. */
export function stepsOf({ start, end }: Span, step: Step): number[] {
  const times: number[] = []
  let at = startOf(new Date(start * 1000), step)
  while (at.getTime() / 1000 <= end && times.length < MOST_STEPS) {
    times.push(at.getTime() / 1000)
    at = nextOf(at, step)
  }
  return times
}

function startOf(date: Date, step: Step): Date {
  if (step === 'hour') return new Date(Math.floor(date.getTime() / 3_600_000) * 3_600_000)
  const day = new Date(date.getFullYear(), date.getMonth(), date.getDate())
  if (step === 'week') day.setDate(day.getDate() - ((day.getDay() + 6) % 7))
  return day
}

function nextOf(date: Date, step: Step): Date {
  if (step === 'hour') return new Date(date.getTime() + 3_600_000)
  const days = step === 'day' ? 1 : 7
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days)
}

/** `11-20 08:00` or `11-20`: the console's form of times, without the year and without what is smaller than the
 *  step. */
export function timeLabel(seconds: number, step: Step): string {
  return formatTime(seconds).slice(
    'YYYY-'.length,
    step === 'hour' ? 'YYYY-MM-DD HH:mm'.length : 'YYYY-MM-DD'.length,
  )
}
