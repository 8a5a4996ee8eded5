import type { ReactNode } from 'react'

/** Around a dialog that a form opens: Escape closes the dialog, not the drawer with the form as well. */
export function InnerDialog({ children }: { children: ReactNode }) {
  return (
    <div onKeyDown={(event) => event.key === 'Escape' && event.stopPropagation()}>{children}</div>
  )
}
