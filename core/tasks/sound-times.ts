import type { TaskReport } from '../contract/task.ts'

/** The last moment that a Date can state. */
const MAX_MS = 8.64e15

/** Times of a report in whole milliseconds, as the table stores them. A time that no clock can show is left out: PostgreSQL would refuse it and
 *  with it the report, so that a success would never be written and a failure never refunded. */
export function withSoundTimes<Report extends Partial<TaskReport>>(report: Report): Report {
  return {
    ...report,
    submitMs: wholeMs(report.submitMs),
    startMs: wholeMs(report.startMs),
    finishMs: wholeMs(report.finishMs),
  }
}

function wholeMs(ms: number | undefined): number | undefined {
  return ms !== undefined && ms > 0 && ms <= MAX_MS ? Math.round(ms) : undefined
}
