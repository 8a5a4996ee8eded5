import { useEffect, useRef } from 'react'
import { watchUnsaved } from '../../stores/unsaved.ts'

/** What is typed outside a form: when the session ends over it, the password is asked for on the page. Leaving is not asked about. */
export function useUnsaved(hasText: boolean): void {
  const latest = useRef(hasText)
  useEffect(() => {
    latest.current = hasText
  })
  useEffect(() => watchUnsaved(latest), [])
}
