import { useEffect, useRef } from 'react'

/** A link that leaves the page together with its screen takes the focus along: the new screen gets it, as a page that is loaded does. */
export function useFocusOnPage(pathname: string): void {
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    const current = document.activeElement
    if (current !== null && current !== document.body) return
    document.getElementById('content')?.focus({ preventScroll: true })
  }, [pathname])
}
