import { useEffect, useLayoutEffect, useRef } from 'react'
import { watchPanel } from '../stores/open-panels.ts'

export interface FocusReturnProps {
  /** Closes the dialog or drawer, or asks first. Back then does this instead of leaving the screen below. */
  onBack?: () => void
}

/** Rendered inside a dialog or drawer that is unmounted when it closes: the focus returns to the element that had it
 *  before. */
export function FocusReturn({ onBack }: FocusReturnProps) {
  useBack(onBack)
  useLayoutEffect(() => {
    const opener = document.activeElement
    return () => {
      // Runs after the dialog has left the page. An element that has taken the focus in the meantime keeps it.
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
