import { useEffect } from 'react'
import { useStatusStore } from '../stores/status.ts'

/** The title of the window: the page, then the site, unless the page is named after the site. */
export function usePageTitle(title: string): void {
  const name = useStatusStore(({ status }) => status?.system_name) || 'Tollgate'
  useEffect(() => {
    document.title = title === name ? name : `${title} · ${name}`
  }, [title, name])
}
