import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { List } from '../../api/use-list.ts'

/** When other rows are shown, scrolls the table to its top, and the page to the table if its beginning is above the
 *  visible part. For the element around both. */
export function useTopOfRows<T>({
  page,
  pageSize,
  filters,
}: Pick<List<T>, 'page' | 'pageSize' | 'filters'>): RefObject<HTMLDivElement | null> {
  const frame = useRef<HTMLDivElement>(null)
  const place = JSON.stringify([page, pageSize, filters])
  const shown = useRef(place)
  useLayoutEffect(() => {
    if (shown.current !== place && frame.current) showTop(frame.current)
    shown.current = place
  }, [place])
  return frame
}

function showTop(frame: HTMLElement): void {
  for (const part of frame.querySelectorAll('.table-scroll')) part.scrollTop = 0
  if (frame.getBoundingClientRect().top < 0) frame.scrollIntoView()
}
