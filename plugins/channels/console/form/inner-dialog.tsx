import { type ReactNode, useLayoutEffect } from 'react'

/** Around a dialog that a form opens: Escape closes the dialog, not the drawer with the form as well. What opened it has the
 *  focus afterwards; the drawer would give it to its first button, "Close". */
export function InnerDialog({ children }: { children: ReactNode }) {
  useLayoutEffect(() => {
    const opener = document.activeElement
    return () => {
      // Runs after the dialog has left the page and the drawer has taken the focus back.
      window.setTimeout(() => {
        const isAbove = document.activeElement?.closest('[role=dialog]')?.contains(opener) === false
        if (opener instanceof HTMLElement && !isAbove) opener.focus({ preventScroll: true })
      }, AFTER_DRAWER_MS)
    }
  }, [])
  return (
    <div onKeyDown={(event) => event.key === 'Escape' && event.stopPropagation()}>{children}</div>
  )
}

const AFTER_DRAWER_MS = 30
