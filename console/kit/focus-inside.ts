import { type RefObject, useEffect } from 'react'

/** What has just appeared at the end of the page takes the focus, or the keyboard would not find it. */
export function useFocusInside(container: RefObject<HTMLElement | null>, selector: string): void {
  useEffect(() => {
    // After the trigger has found it its place.
    const frame = requestAnimationFrame(() =>
      container.current?.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true }),
    )
    return () => cancelAnimationFrame(frame)
  }, [container, selector])
}
