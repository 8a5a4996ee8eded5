export const shownDays = 7
const daySeconds = 86_400

/** Six days before today's beginning; a clock before 1970 is at its start. */
export function weekStart(today: number): number {
  return Math.max(today % 3_600, today - (shownDays - 1) * daySeconds)
}
