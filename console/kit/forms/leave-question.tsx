import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { hasChangesToLeave, watchLeaving } from '../../stores/unsaved.ts'
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
    // Saved while it was asked: there is nothing left to ask about.
    if (!isChanged && !hasChangesToLeave()) asking?.abort()
  }, [])
  return { hasChanges, setChanged, close: () => void close() }
}

/** Stands inside the panel, so that only what is open is asked about (`LeaveHost`). */
export function LeaveGuard({ hasChanges }: Pick<LeaveQuestion, 'hasChanges'>) {
  useEffect(() => watchLeaving(hasChanges), [hasChanges])
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

/** Of the question that stands there, or stood last. */
let asking: AbortController | undefined

export function mayDiscard(signal?: AbortSignal): Promise<boolean> {
  const t = textsOf()
  asking = new AbortController()
  return confirm(
    {
      title: t('form.leaveTitle'),
      content: t('form.leave'),
      confirmLabel: t('form.discard'),
      cancelLabel: t('form.stay'),
      isDanger: true,
    },
    signal ? AbortSignal.any([signal, asking.signal]) : asking.signal,
  )
}
