import type { CSSProperties } from 'react'

/** The progress of something; `percent` from 0 to 100. */
export function Progress({
  percent,
  label,
  isCircle,
  isFailed,
}: {
  percent: number
  /** The accessible name. */
  label: string
  isCircle?: boolean
  isFailed?: boolean
}) {
  const value = Math.min(100, Math.max(0, Math.round(percent)))
  return (
    <span
      className={`progress ${isCircle ? 'progress-circle' : ''} ${isFailed ? 'is-failed' : ''}`}
      role="progressbar"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={100}
      style={{ '--percent': value } as CSSProperties}
    >
      <span className="progress-track" />
      <span className="number">{value}%</span>
    </span>
  )
}
