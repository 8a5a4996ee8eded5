const writtenTime = /^(\d{4})-(\d{1,2})-(\d{1,2})(?: (\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

/** Unix seconds of a time as it is written in the field, in the person's own zone; NaN for what is no time, undefined for nothing. */
export function readMoment(text: string): number | undefined {
  if (text.trim() === '') return undefined
  const parts = writtenTime.exec(text.trim())
  if (!parts) return Number.NaN
  const [year = 0, month = 0, day = 0, hour, minute, second] = parts
    .slice(1)
    .map((part) => Number(part ?? 0))
  const date = new Date(year, month - 1, day, hour, minute, second)
  // The 31st of June would become the 1st of July.
  const isReal = date.getMonth() === month - 1 && date.getDate() === day
  return isReal ? Math.floor(date.getTime() / 1000) : Number.NaN
}
