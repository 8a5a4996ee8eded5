import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { watchPanel } from '../stores/open-panels.ts'
import { type Place, placeInTable, standInFor } from './lists/row-place.ts'

export interface FocusReturnProps {
  /** Closes the dialog or drawer, or asks first. Back then does this instead of leaving the screen below. */
  onBack?: () => void
  /** The dialog holds the focus until it leaves the page, which it does at once. A drawer moves out first. */
  isHeld?: boolean
}

interface Panel {
  opener: Element | null
  /** Where the opener stood, if that was in a table. */
  place: Place | undefined
}

const panels = new Set<Panel>()

/** Rendered inside a dialog or drawer that is unmounted when it closes: the focus returns to the element that had it
 *  before. If that element was in a panel that is closed by then, to where that panel was opened from; if it went away with its
 *  row of a table, to the row in its place. */
export function FocusReturn({ onBack, isHeld = false }: FocusReturnProps) {
  useBack(onBack)
  // Not in the effect: the lock of a dialog has moved the focus by then.
  const [opener] = useState(() => document.activeElement)
  useLayoutEffect(() => {
    const panel: Panel = { opener, place: placeInTable(opener) }
    panels.add(panel)
    return () => {
      panels.delete(panel)
      if (isHeld) giveToDrawer(panel.opener)
      // Runs after the dialog has left the page. An element that has taken the focus in the meantime keeps it.
      window.setTimeout(() => {
        const current = document.activeElement
        if (current === null || current === document.body) giveFocus(panel)
        for (const other of panels) if (!isThere(other.opener)) Object.assign(other, panel)
      })
    }
  }, [opener, isHeld])
  return null
}

/** Where a drawer is below, later would be too late: its lock has the focus on the drawer's first button by then. Whatever takes the
 *  focus because of the closing does so after this. Elsewhere it can wait: React tells nobody of a focus that is set here. */
function giveToDrawer(opener: Element | null): void {
  if (isThere(opener) && opener.closest('[role="dialog"]')) opener.focus({ preventScroll: true })
}

function useBack(onBack: (() => void) | undefined): void {
  const close = useRef(() => {})
  const closes = onBack !== undefined
  useEffect(() => {
    close.current = onBack ?? close.current
  })
  useEffect(() => (closes ? watchPanel(close) : undefined), [closes])
}

function giveFocus({ opener, place }: Panel): void {
  const standIn = place?.table.isConnected ? standInFor(place) : undefined
  const target = isThere(opener) ? opener : (standIn ?? document.getElementById('content'))
  if (!target) return
  target.focus({ preventScroll: true })
  dropEcho(target)
}

/** Two presses within this time are one press too many. */
const DOUBLE_PRESS_MS = 400

/** The key that has answered a question may be pressed twice, or held. It must not press what has the focus then: a menu would open, and its
 *  first action would be the next to run. */
function dropEcho(target: HTMLElement): void {
  const givenAtMs = performance.now()
  const drop = (event: KeyboardEvent) => {
    const isEcho = event.repeat || performance.now() - givenAtMs < DOUBLE_PRESS_MS
    if (!isEcho || (event.key !== 'Enter' && event.key !== ' ')) return
    event.preventDefault()
    event.stopPropagation()
  }
  target.addEventListener('keydown', drop)
  target.addEventListener('blur', () => target.removeEventListener('keydown', drop), { once: true })
}

function isThere(opener: Element | null): opener is HTMLElement {
  return opener instanceof HTMLElement && opener.isConnected && opener !== document.body
}
