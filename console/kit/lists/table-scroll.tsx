import type { ReactNode } from 'react'

/** Scrolls a wide table sideways, also by keyboard, and has a name for screen readers. */
export function TableScroll({
  label,
  className = '',
  children,
}: {
  label: string
  className?: string
  children: ReactNode
}) {
  return (
    <div className={`table-scroll ${className}`} role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}
