import { type ReactNode, useRef } from 'react'
import { useMoreAside } from './use-more-aside.ts'

/** Scrolls a wide table sideways, also by keyboard, and has a name for screen readers. A shade lies at each side where
 *  there is more. */
export function TableScroll({
  label,
  className = '',
  children,
}: {
  label: string
  className?: string
  children: ReactNode
}) {
  const frame = useRef<HTMLDivElement>(null)
  useMoreAside(frame)
  return (
    <div className="table-sides" ref={frame}>
      <div className={`table-scroll ${className}`} role="region" aria-label={label} tabIndex={0}>
        {children}
      </div>
    </div>
  )
}
