import { Duration } from '#console'

/** A dash where nothing was measured. */
export function DurationOrNone({ ms }: { ms: number | null }) {
  return ms === null ? <span className="muted">–</span> : <Duration ms={ms} />
}
