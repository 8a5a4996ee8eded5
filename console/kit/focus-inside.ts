import { type RefObject, useEffect } from 'react'

/** Moves the focus into an element that has just appeared at the end of the page, where the keyboard would not find
 *  it. */
export function useFocusInside(container: RefObject<HTMLElement | null>, selector: string): void {
  useEffect(() => {
    // Waits until Arco's trigger has placed the element.
    const frame = requestAnimationFrame(() =>
      container.current?.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true }),
    )
    return () => cancelAnimationFrame(frame)
  }, [container, selector])
}
