import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** In pixels: a view that is this close to the end counts as being at the end. */
const nearPx = 48

/**
 * Keeps a growing list scrolled to its end while the reader is at the end. After scrolling up, the position stays until
 * the reader returns to the end or `toEnd` is called.
 */
export function useFollow() {
  const box = useRef<HTMLDivElement>(null)
  const lastTop = useRef(0)
  const follows = useRef(true)
  const [isAtEnd, setAtEnd] = useState(true)

  const toEnd = useCallback(() => {
    follows.current = true
    setAtEnd(true)
    const element = box.current
    if (element) element.scrollTop = element.scrollHeight
  }, [])

  // A layout effect, so that added content is scrolled into view before it is painted.
  useLayoutEffect(() => {
    if (follows.current && box.current) box.current.scrollTop = box.current.scrollHeight
  })

  useEffect(() => {
    const element = box.current
    if (!element) return
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = element
      const isNear = scrollHeight - scrollTop - clientHeight < nearPx
      // Only scrolling up stops following: growing content never moves the view up.
      if (scrollTop < lastTop.current && !isNear) follows.current = false
      if (isNear) follows.current = true
      lastTop.current = scrollTop
      setAtEnd(isNear)
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    // Pictures and highlighted code arrive later and change the height, too.
    const observer = new ResizeObserver(() => {
      if (follows.current) element.scrollTop = element.scrollHeight
    })
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    return () => {
      element.removeEventListener('scroll', onScroll)
      observer.disconnect()
    }
  }, [])

  return { box, isAtEnd, toEnd }
}
