import type { ReactNode } from 'react'
import { NavLink } from 'react-router-dom'

/** A link of the menu: inside the console, or to another site in a new tab. */
export function MenuLink({
  to,
  className,
  children,
  onClick,
  label,
}: {
  to: string
  className?: string
  children: ReactNode
  onClick?: () => void
  label?: string
}) {
  if (to.startsWith('/')) {
    return (
      <NavLink to={to} end={to === '/'} className={className} onClick={onClick} aria-label={label}>
        {children}
      </NavLink>
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
