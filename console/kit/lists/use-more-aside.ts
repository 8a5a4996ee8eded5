import { type RefObject, useEffect } from 'react'

/** Says in `data-more` of the element around a scroll area at which sides columns are out of sight: `left`, `right` or
 *  both. It is written past React, because it changes while somebody scrolls. */
export function useMoreAside(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const area = frame.current?.firstElementChild
    if (!area) return
    const tell = () => tellMore(area)
    const watch = new ResizeObserver(tell)
    for (const part of [area, ...area.children]) watch.observe(part)
    area.addEventListener('scroll', tell, { passive: true })
    return () => {
      watch.disconnect()
      area.removeEventListener('scroll', tell)
    }
  }, [frame])
}

function tellMore(area: Element): void {
  // Scrolled positions are fractions on some screens.
  const left = area.scrollLeft > 1
  const right = area.scrollWidth - area.clientWidth - area.scrollLeft > 1
  const more = [left ? 'left' : '', right ? 'right' : ''].filter(Boolean).join(' ')
  area.parentElement?.setAttribute('data-more', more)
}
