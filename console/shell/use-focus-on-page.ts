import { useEffect, useRef } from 'react'

/** When a link is removed together with its screen, the focus is lost. Moves it to the new screen, as the browser
 *  does when a page is loaded. A drawer that is closed by leaving its address hands the focus back first (`FocusReturn`). */
export function useFocusOnPage(pathname: string): void {
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return undefined
    shown.current = pathname
    const timer = window.setTimeout(() => {
      const current = document.activeElement
      if (current !== null && current !== document.body) return
      document.getElementById('content')?.focus({ preventScroll: true })
    })
    return () => window.clearTimeout(timer)
  }, [pathname])
}
