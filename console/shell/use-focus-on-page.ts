import { useEffect, useRef } from 'react'

/** When a link is removed together with its screen, the focus is lost. Moves it to the new screen, as the browser
 *  does when a page is loaded. */
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
