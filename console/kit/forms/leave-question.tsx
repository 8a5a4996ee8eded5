import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { useBlocker } from 'react-router-dom'
import { watchUnsaved } from '../../stores/unsaved.ts'
import { textsOf } from '../../texts/use-texts.ts'
import { confirm } from '../confirm.tsx'

export interface LeaveQuestion {
  /** For LeaveGuard. */
  hasChanges: RefObject<boolean>
  setChanged(isChanged: boolean): void
  /** Closes at once, or when the person agrees to lose what was changed. */
  close(): void
}

/** Asks before changes are lost. A ref, because closing may navigate before the next drawing. */
export function useLeaveQuestion(onClose?: () => void): LeaveQuestion {
  const hasChanges = useRef(false)
  const close = async () => {
    if (hasChanges.current && !(await mayDiscard())) return
    hasChanges.current = false
    onClose?.()
  }
  const setChanged = useCallback((isChanged: boolean) => {
    hasChanges.current = isChanged
  }, [])
  return { hasChanges, setChanged, close: () => void close() }
}

/** Stands inside the panel, so that of several drawers of a screen only the open one blocks: the router takes one blocker. */
export function LeaveGuard({ hasChanges }: Pick<LeaveQuestion, 'hasChanges'>) {
  const blocker = useBlocker(() => hasChanges.current)
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    // Saved and closed meanwhile: there is nothing left to ask about, and the way that was wanted is free.
    const gone = new AbortController()
    void mayDiscard(gone.signal).then((isAgreed) => {
      if (!gone.signal.aborted) return isAgreed ? blocker.proceed() : blocker.reset()
    })
    return () => gone.abort()
  }, [blocker])
  useEffect(() => watchUnsaved(hasChanges), [hasChanges])
  useEffect(() => {
    // Reloading and closing the window: the browser asks in its own words.
    const ask = (event: BeforeUnloadEvent) => {
      if (hasChanges.current) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [hasChanges])
  return null
}

function mayDiscard(signal?: AbortSignal): Promise<boolean> {
  const t = textsOf()
  return confirm(
    {
      title: t('form.leaveTitle'),
      content: t('form.leave'),
      confirmLabel: t('form.discard'),
      cancelLabel: t('form.stay'),
      isDanger: true,
    },
    signal,
  )
}
