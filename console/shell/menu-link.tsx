import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'

/** A link of the menu: inside the console, or to another site in a new tab. */
export function MenuLink({
  to,
  isCurrent = false,
  className,
  children,
  onClick,
  label,
}: {
  to: string
  /** Whether this is the entry of the current screen. */
  isCurrent?: boolean
  className?: string
  children: ReactNode
  onClick?: () => void
  label?: string
}) {
  if (to.startsWith('/')) {
    return (
      <Link
        to={to}
        aria-current={isCurrent ? 'page' : undefined}
        className={className}
        onClick={onClick}
        aria-label={label}
      >
        {children}
      </Link>
    )
  }
  return (
    <a
      href={to}
      target="_blank"
      rel="noopener noreferrer"
      className={className}
      onClick={onClick}
      aria-label={label}
    >
      {children}
    </a>
  )
}
