import { useState } from 'react'
import { useIsNarrow } from '../kit/use-is-phone.ts'
import { usePreferences } from '../stores/preferences.ts'

export interface SidebarWidth {
  isCollapsed: boolean
  setCollapsed(isCollapsed: boolean): void
}

/** Remembers how wide the sidebar is chosen to be. A small or magnified window begins with the narrow one, to leave its tables and forms some
 *  room, and there the choice holds for the visit only. */
export function useSidebar(): SidebarWidth {
  const isNarrow = useIsNarrow()
  const [isOpened, setOpened] = useState(false)
  const { isSidebarCollapsed, setSidebarCollapsed } = usePreferences()
  if (!isNarrow) return { isCollapsed: isSidebarCollapsed, setCollapsed: setSidebarCollapsed }
  return { isCollapsed: !isOpened, setCollapsed: (isCollapsed) => setOpened(!isCollapsed) }
}
