import { useCallback } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'

interface OverList {
  isOverList?: boolean
}

/** Opens and closes a drawer that has its own address above its list. Closing a drawer that was opened here goes one
 *  step back in the history, so that Back does not open it again. One that was opened by a link is replaced by its
 *  list. Filters in the address stay. */
export function useDrawerAddress(listPath: string): (path: string | undefined) => void {
  const { search, state } = useLocation()
  const navigate = useNavigate()
  const isOverList = (state as OverList | null)?.isOverList === true
  return useCallback(
    (path) => {
      if (path !== undefined) {
        // Keeps the scroll position of the list below the drawer.
        const how = { state: { isOverList: true } satisfies OverList, preventScrollReset: true }
        void navigate({ pathname: path, search }, how)
      } else if (isOverList) void navigate(-1)
      else
        void navigate({ pathname: listPath, search }, { replace: true, preventScrollReset: true })
    },
    [navigate, search, isOverList, listPath],
  )
}
