import { useLayoutEffect } from 'react'

/** Stands inside a dialog or drawer that is unmounted when it closes: the focus goes back to what had it before. */
export function FocusReturn() {
  useLayoutEffect(() => {
    const opener = document.activeElement
    return () => {
      // After the dialog has left the page and given up the focus; whoever has taken it meanwhile keeps it.
      window.setTimeout(() => {
        const current = document.activeElement
        if (current === null || current === document.body) giveFocus(opener)
      })
    }
  }, [])
  return null
}

function giveFocus(opener: Element | null): void {
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body
  const target = isThere ? opener : document.getElementById('content')
  target?.focus({ preventScroll: true })
}
