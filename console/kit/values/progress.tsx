import { IconExclamationCircleFill } from '@arco-design/web-react/icon'
import type { CSSProperties } from 'react'

/** The progress of something; `percent` from 0 to 100. */
export function Progress({
  percent,
  label,
  isCircle,
  fault,
}: {
  percent: number
  /** The accessible name. */
  label: string
  isCircle?: boolean
  /** What is wrong, where something is: the bar is red then, and a sign stands beside it. */
  fault?: string
}) {
  const value = Math.min(100, Math.max(0, Math.round(percent)))
  return (
    <span
      className={`progress ${isCircle ? 'progress-circle' : ''} ${fault ? 'is-failed' : ''}`}
      title={fault}
      role="progressbar"
      aria-label={label}
      aria-valuenow={value}
      aria-valuetext={fault && `${value}%, ${fault}`}
      aria-valuemin={0}
      aria-valuemax={100}
      style={{ '--percent': value } as CSSProperties}
    >
      <span className="progress-track" />
      <span className="number">{value}%</span>
      {fault ? <IconExclamationCircleFill className="progress-fault" aria-hidden /> : null}
    </span>
  )
}
