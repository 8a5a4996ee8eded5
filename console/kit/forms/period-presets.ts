/** The presets; each of them ends now. */
export const presets = ['hour', 'today', 'day', 'week', 'month'] as const
export type PeriodPreset = (typeof presets)[number]

const lengths: Partial<Record<PeriodPreset, number>> = {
  hour: 3_600,
  day: 86_400,
  week: 7 * 86_400,
  month: 30 * 86_400,
}

/** The start of a preset, in Unix seconds as text. */
export function startOf(preset: PeriodPreset, now = new Date()): string {
  const length = lengths[preset]
  if (length !== undefined) return String(Math.floor(now.getTime() / 1000) - length)
  return String(new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime() / 1000)
}

/** A link that was made up to an hour ago still shows its preset. */
const TOLERANCE_SECONDS = 7_200

/** The preset with these bounds: `all` if both are open, `own` if no preset fits. Starts are compared roughly,
 *  because time passes after a preset was chosen. */
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
