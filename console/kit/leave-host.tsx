import { useEffect, useRef } from 'react'
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

/**
 * Stands once in the shell, because the router takes one blocker. Back closes the topmost drawer or dialog instead of leaving the
 * screen under it; any way that leads away from changes asks first.
 */
export function LeaveHost() {
  const isBack = useRef(false)
  const isOwn = useWayBack()
  const blocker = useBlocker(({ historyAction }) => {
    if (isOwn.current) return false
    isBack.current =
      historyAction === NavigationType.Pop && useOpenPanels.getState().panels.length > 0
    return isBack.current || hasChangesToLeave()
  })
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    if (!isBack.current) return askToLeave(blocker)
    blocker.reset()
    useOpenPanels.getState().panels.at(-1)?.current()
  }, [blocker])
  return null
}

function askToLeave(blocker: Blocker & { state: 'blocked' }): () => void {
  // Saved and closed meanwhile: there is nothing left to ask about, and the way that was wanted is free.
  const gone = new AbortController()
  void mayDiscard(gone.signal).then((isAgreed) => {
    if (!gone.signal.aborted) return isAgreed ? blocker.proceed() : blocker.reset()
  })
  return () => gone.abort()
}

/** Under the first page of a window there is nothing that Back could be held from: a panel over it gets a step of its own. */
function useWayBack() {
  const isOwn = useRef(false)
  const isPanelOpen = useOpenPanels(({ panels }) => panels.length > 0)
  const navigate = useNavigate()
  const location = useLocation()
  const here = useRef(location)
  useEffect(() => {
    here.current = location
  })
  useEffect(() => {
    const step = (window.history.state as { idx?: number } | null)?.idx
    if (!isPanelOpen || step !== 0) return
    isOwn.current = true
    void Promise.resolve(
      navigate(here.current, { state: here.current.state, preventScrollReset: true }),
    ).finally(() => {
      isOwn.current = false
    })
  }, [isPanelOpen, navigate])
  return isOwn
}
