import { lazy, Suspense, useState } from 'react'
import { formatTime } from '../../format/time.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { type PeriodPreset, presetOf, presets, startOf } from './period-presets.ts'
import { Select } from './select.tsx'

// The calendar is the largest part of any list and is rarely opened, so it is loaded on demand.
const OwnPeriod = lazy(() => import('./own-period.tsx'))

/** A period, chosen by a preset or by its bounds. Both bounds are Unix seconds as text; an empty one is open. */
export function PeriodInput({
  label,
  start,
  end,
  onChange,
}: {
  label: string
  start: string
  end: string
  onChange(start: string, end: string): void
}) {
  const t = useTexts()
  const [isOwn, setOwn] = useState(false)
  const preset = presetOf(start, end)
  const shown = isOwn || preset === 'own' ? 'own' : preset
  const choose = (chosen: PeriodPreset | 'all' | 'own') => {
    setOwn(chosen === 'own')
    if (chosen === 'all') onChange('', '')
    else if (chosen !== 'own') onChange(startOf(chosen), '')
  }
  return (
    <span role="group" aria-label={label} className="period">
      <Select
        className="filter-select"
        label={label}
        value={shown}
        choices={[...presets, 'all', 'own'].map((value) => ({
          value,
          label: t(`period.${value}`),
        }))}
        onChange={(chosen: string | number | undefined) => choose(chosen as PeriodPreset)}
      />
      {shown === 'own' ? (
        <Suspense>
          <OwnPeriod
            start={start}
            end={end}
            onChange={(from, to) => {
              setOwn(from !== '' || to !== '')
              onChange(from, to)
            }}
          />
        </Suspense>
      ) : null}
    </span>
  )
}

/** The period in words: "Last 7 days", "2026-05-01 00:00:00 to 2026-05-02 00:00:00". */
export function usePeriodWords(): (start: string, end: string) => string {
  const t = useTexts()
  return (start, end) => {
    const preset = presetOf(start, end)
    if (preset !== 'own') return t(`period.${preset}`)
    const [from, to] = [start, end].map((bound) => (bound ? formatTime(Number(bound)) : ''))
    if (!to) return t('period.since', { from })
    return from ? t('period.between', { from, to }) : t('period.until', { to })
  }
}
