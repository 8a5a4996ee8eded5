/** Spans that people ask for; each reaches to now. */
export const presets = ['hour', 'today', 'day', 'week', 'month'] as const
export type PeriodPreset = (typeof presets)[number]

const lengths: Partial<Record<PeriodPreset, number>> = {
  hour: 3_600,
  day: 86_400,
  week: 7 * 86_400,
  month: 30 * 86_400,
}

/** When a preset begins, in Unix seconds as text. */
export function startOf(preset: PeriodPreset, now = new Date()): string {
  const length = lengths[preset]
  if (length !== undefined) return String(Math.floor(now.getTime() / 1000) - length)
  return String(new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime() / 1000)
}

/** A link that was made an hour ago still names its preset. */
const TOLERANCE_SECONDS = 7_200

/** The preset of two bounds: `all` when both are open, `own` when it is none. A start is a minute old at once, so it is taken broadly. */
export function presetOf(
  start: string,
  end: string,
  now = new Date(),
): PeriodPreset | 'all' | 'own' {
  if (start === '' && end === '') return 'all'
  if (start === '' || end !== '') return 'own'
  if (start === startOf('today', now)) return 'today'
  const age = Math.floor(now.getTime() / 1000) - Number(start)
  const near = presets.find((preset) => {
    const length = lengths[preset]
    if (length === undefined) return false
    return age >= length && age < length + Math.min(TOLERANCE_SECONDS, length / 4)
  })
  return near ?? 'own'
}
