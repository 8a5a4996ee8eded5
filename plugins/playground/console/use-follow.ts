import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** A view that is this close to the end counts as being at the end. */
const nearPx = 48

/**
 * Keeps the end of a growing list in sight as long as the reader is there. Whoever scrolls up stays where he is, until he
 * comes back to the end by himself or by `toEnd`.
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

  // After each drawing: what was added is in sight before it is painted.
  useLayoutEffect(() => {
    if (follows.current && box.current) box.current.scrollTop = box.current.scrollHeight
  })

  useEffect(() => {
    const element = box.current
    if (!element) return
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = element
      const isNear = scrollHeight - scrollTop - clientHeight < nearPx
      // Only going up lets go: content that grows moves nothing up.
      if (scrollTop < lastTop.current && !isNear) follows.current = false
      if (isNear) follows.current = true
      lastTop.current = scrollTop
      setAtEnd(isNear)
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    // Pictures and colours of code come later and change the height as well.
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
