export const shownDays = 7
const daySeconds = 86_400

/** The start of the day six days ago; at least 0, for a clock before 1970. */
export function weekStart(today: number): number {
  return Math.max(today % 3_600, today - (shownDays - 1) * daySeconds)
}
