import { type FocusEvent, useLayoutEffect, useRef } from 'react'
import { type Place, placeOf, standInFor } from './row-place.ts'

/** When the focused control disappears (its row was deleted, or its action was replaced), moves the focus to the
 *  control in its place. Otherwise the keyboard would start at the top of the page, and a screen reader would fall
 *  silent. For the outermost element of the table. */
export function useKeptFocus() {
  const place = useRef<Place>(undefined)
  useLayoutEffect(() => {
    const last = place.current
    if (!last || last.control.isConnected) return
    place.current = undefined
    const current = document.activeElement
    if (current !== null && current !== document.body) return
    const target = standInFor(last) ?? document.getElementById('content')
    target?.focus({ preventScroll: true })
  })
  return {
    onFocus: ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
      // React also reports focus events of dialogs that are drawn elsewhere.
      if (currentTarget.contains(target)) place.current = placeOf(target, currentTarget)
    },
    onBlur: ({ target, relatedTarget }: FocusEvent<HTMLElement>) => {
      const isHanded = relatedTarget !== null
      // Some browsers send the blur event while the control is being removed.
      queueMicrotask(() => {
        if (place.current?.control === target && (isHanded || target.isConnected))
          place.current = undefined
      })
    },
  }
}
