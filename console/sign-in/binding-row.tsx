import type { ComponentType, ReactNode } from 'react'
import './sign-in.css'

export interface BindingRowProps {
  icon: ComponentType
  name: string
  /** The bound account, or that there is none. */
  state: ReactNode
  /** Buttons. */
  children?: ReactNode
}

/** One line of the block of bindings; plugins draw theirs with it. */
export function BindingRow({ icon: Icon, name, state, children }: BindingRowProps) {
  return (
    <li className="binding-row">
      <span className="binding-icon" aria-hidden>
        <Icon />
      </span>
      <span className="binding-words">
        <strong>{name}</strong>
        <span className="muted">{state}</span>
      </span>
      <span className="binding-actions">{children}</span>
    </li>
  )
}
