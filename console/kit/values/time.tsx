import { formatDuration, formatRelative, formatTime } from '../../format/time.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { Hint } from '../hint.tsx'

/** Unix seconds as local time, with the distance to now in the tooltip. 0 and null show a dash. */
export function Time({
  seconds,
  none = '–',
}: {
  seconds: number | null | undefined
  none?: string
}) {
  const language = usePreferences((preferences) => preferences.language)
  if (!seconds || seconds < 0) return <span className="muted">{none}</span>
  return (
    <Hint text={formatRelative(seconds, language)}>
      <time className="number" dateTime={new Date(seconds * 1000).toISOString()}>
        {formatTime(seconds)}
      </time>
    </Hint>
  )
}

/** `340 ms`, `1.2 s`. */
export function Duration({ ms }: { ms: number }) {
  return <span className="number">{formatDuration(ms)}</span>
}

/** A duration, coloured by how long it is; a dash while the work runs. */
export function TookTime({ ms, slowMs }: { ms: number | undefined; slowMs: number }) {
  if (ms === undefined) return <span className="muted">–</span>
  const tone = ms > slowMs ? 'tone-danger' : 'tone-success'
  return <span className={`number took-time ${tone}`}>{formatDuration(ms)}</span>
}
