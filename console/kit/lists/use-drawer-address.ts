import { useCallback } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'

interface OverList {
  isOverList?: boolean
}

/**
 * The way into a drawer that has an address of its own, over its list, and out again. Closing one that was opened here is a step
 * back, so that Back does not open it again; one that came by a link gives way to its list. Filters in the address stay.
 */
export function useDrawerAddress(listPath: string): (path: string | undefined) => void {
  const { search, state } = useLocation()
  const navigate = useNavigate()
  const isOverList = (state as OverList | null)?.isOverList === true
  return useCallback(
    (path) => {
      if (path !== undefined) {
        // The list stays where it is under the drawer.
        const how = { state: { isOverList: true } satisfies OverList, preventScrollReset: true }
        void navigate({ pathname: path, search }, how)
      } else if (isOverList) void navigate(-1)
      else
        void navigate({ pathname: listPath, search }, { replace: true, preventScrollReset: true })
    },
    [navigate, search, isOverList, listPath],
  )
}
