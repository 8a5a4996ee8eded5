import { useEffect, useLayoutEffect, useRef } from 'react'
import { watchPanel } from '../stores/open-panels.ts'

export interface FocusReturnProps {
  /** Closes the dialog or drawer, or asks first: what Back then does instead of leaving the screen under it. */
  onBack?: () => void
}

/** Stands inside a dialog or drawer that is unmounted when it closes: the focus goes back to what had it before. */
export function FocusReturn({ onBack }: FocusReturnProps) {
  useBack(onBack)
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

function useBack(onBack: (() => void) | undefined): void {
  const close = useRef(() => {})
  const closes = onBack !== undefined
  useEffect(() => {
    close.current = onBack ?? close.current
  })
  useEffect(() => (closes ? watchPanel(close) : undefined), [closes])
}

function giveFocus(opener: Element | null): void {
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body
  const target = isThere ? opener : document.getElementById('content')
  target?.focus({ preventScroll: true })
}
