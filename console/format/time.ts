const pad = (value: number) => String(value).padStart(2, '0')

/** Local time, `YYYY-MM-DD HH:mm:ss`; a dash for what is no time, as an address may ask for. */
export function formatTime(seconds: number): string {
  const date = new Date(seconds * 1000)
  if (Number.isNaN(date.getTime())) return '–'
  return `${formatDay(seconds)} ${clockOf(date)}`
}

/** The local day, `YYYY-MM-DD`. */
export function formatDay(seconds: number): string {
  const date = new Date(seconds * 1000)
  return [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join('-')
}

/** Local time of day to the millisecond, `HH:mm:ss.SSS`: for what lies close together. */
export function formatClock(milliseconds: number): string {
  const date = new Date(milliseconds)
  return `${clockOf(date)}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

function clockOf(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(pad).join(':')
}

const spans: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]

/** `3 minutes ago`, `in 2 days`. */
export function formatRelative(seconds: number, language: string, nowMs = Date.now()): string {
  const difference = Math.round(seconds - nowMs / 1000)
  const [unit, length] = spans.find(([, size]) => Math.abs(difference) >= size) ?? ['second', 1]
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  return format.format(Math.trunc(difference / length), unit)
}

/** `340 ms`, `1.2 s`, `75 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1000
  if (seconds < 100) return `${Number(seconds.toFixed(1))} s`
  const whole = Math.round(seconds)
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}
