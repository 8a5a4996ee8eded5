import { useEffect, useRef } from 'react'
import { watchUnsaved } from '../../stores/unsaved.ts'

/** Protects text that is typed outside a form: when the session ends, the password is asked for on the page. Leaving
 *  the page is not questioned. */
export function useUnsaved(hasText: boolean): void {
  const latest = useRef(hasText)
  useEffect(() => {
    latest.current = hasText
  })
  useEffect(() => watchUnsaved(latest), [])
}
