import { type RefObject, useEffect, useRef } from 'react'
import {
  type Blocker,
  NavigationType,
  useBlocker,
  useLocation,
  useNavigate,
} from 'react-router-dom'
import { useOpenPanels } from '../stores/open-panels.ts'
import { hasChangesToLeave } from '../stores/unsaved.ts'
import { mayDiscard } from './forms/leave-question.tsx'

/** Rendered once, in the shell, because the router allows a single blocker. Back closes the topmost drawer or dialog
 *  instead of leaving the screen below, and any navigation away from unsaved changes asks first. */
export function LeaveHost() {
  const isBack = useRef(false)
  const isAsking = useRef(false)
  const isOwn = useWayBack(isAsking)
  const blocker = useBlocker(({ historyAction }) => {
    if (isOwn.current) return false
    isBack.current =
      historyAction === NavigationType.Pop && useOpenPanels.getState().panels.length > 0
    return isBack.current || hasChangesToLeave()
  })
  useEffect(() => {
    if (blocker.state !== 'blocked') return undefined
    if (isBack.current) {
      blocker.reset()
      useOpenPanels.getState().panels.at(-1)?.current()
      return undefined
    }
    isAsking.current = true
    const takeBack = askToLeave(blocker)
    return () => {
      isAsking.current = false
      takeBack()
    }
  }, [blocker])
  return null
}

function askToLeave(blocker: Blocker & { state: 'blocked' }): () => void {
  // The changes were saved and the panel closed in the meantime, so the navigation may continue.
  const gone = new AbortController()
  void mayDiscard(gone.signal).then((isAgreed) => {
    if (!gone.signal.aborted) return isAgreed ? blocker.proceed() : blocker.reset()
  })
  return () => gone.abort()
}

/** Before the first page of a window the history has no entry that could be blocked, so a panel above it adds one. The
 *  question whether to leave adds none: it would take the place of the step that it asks about. */
function useWayBack(isAsking: RefObject<boolean>) {
  const isOwn = useRef(false)
  const isPanelOpen = useOpenPanels(({ panels }) => panels.length > 0)
  const navigate = useNavigate()
  const location = useLocation()
  const here = useRef(location)
  useEffect(() => {
    here.current = location
  })
  useEffect(() => {
    const { idx, key = 'default' } = (window.history.state ?? {}) as { idx?: number; key?: string }
    // A blocked step back is undone later: until then the window stands where the router is not.
    if (!isPanelOpen || isAsking.current || idx !== 0 || key !== here.current.key) return
    isOwn.current = true
    void Promise.resolve(
      navigate(here.current, { state: here.current.state, preventScrollReset: true }),
    ).finally(() => {
      isOwn.current = false
    })
  }, [isPanelOpen, isAsking, navigate])
  return isOwn
}
