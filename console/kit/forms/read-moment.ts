const writtenTime = /^(\d{4})-(\d{1,2})-(\d{1,2})(?: (\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

/** Reads a time in the form of the field, in the local time zone, as Unix seconds. NaN for invalid text, undefined
 *  for empty text. */
export function readMoment(text: string): number | undefined {
  if (text.trim() === '') return undefined
  const parts = writtenTime.exec(text.trim())
  if (!parts) return Number.NaN
  const [year = 0, month = 0, day = 0, hour, minute, second] = parts
    .slice(1)
    .map((part) => Number(part ?? 0))
  const date = new Date(year, month - 1, day, hour, minute, second)
  // Date would turn 31 June into 1 July.
  const isReal = date.getMonth() === month - 1 && date.getDate() === day
  return isReal ? Math.floor(date.getTime() / 1000) : Number.NaN
}
