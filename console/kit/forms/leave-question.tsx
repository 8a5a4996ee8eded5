import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { hasChangesToLeave, watchLeaving } from '../../stores/unsaved.ts'
import { textsOf } from '../../texts/use-texts.ts'
import { confirm } from '../confirm.tsx'

export interface LeaveQuestion {
  /** For LeaveGuard. */
  hasChanges: RefObject<boolean>
  setChanged(isChanged: boolean): void
  /** Closes the panel at once, or after the user has agreed to lose the changes. */
  close(): void
}

/** Asks before changes are lost. The state is in a ref, because closing may navigate before the next render. */
export function useLeaveQuestion(onClose?: () => void): LeaveQuestion {
  const hasChanges = useRef(false)
  const close = async () => {
    if (hasChanges.current && !(await mayDiscard())) return
    hasChanges.current = false
    onClose?.()
  }
  const setChanged = useCallback((isChanged: boolean) => {
    hasChanges.current = isChanged
    // The changes were saved while the question was open.
    if (!isChanged && !hasChangesToLeave()) asking?.abort()
  }, [])
  return { hasChanges, setChanged, close: () => void close() }
}

/** Rendered inside the panel, so that `LeaveHost` asks only about panels that are open. */
export function LeaveGuard({ hasChanges }: Pick<LeaveQuestion, 'hasChanges'>) {
  useEffect(() => watchLeaving(hasChanges), [hasChanges])
  useEffect(() => {
    // On reload and when the window is closed, the browser asks in its own words.
    const ask = (event: BeforeUnloadEvent) => {
      if (hasChanges.current) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [hasChanges])
  return null
}

/** The texts of the open question, or of the last one while it fades out. */
let asking: AbortController | undefined

export function mayDiscard(signal?: AbortSignal): Promise<boolean> {
  const t = textsOf()
  const own = new AbortController()
  asking = own
  if (signal?.aborted) own.abort()
  signal?.addEventListener('abort', () => own.abort(), { once: true })
  return confirm(
    () => ({
      title: t('form.leaveTitle'),
      content: t('form.leave'),
      confirmLabel: t('form.discard'),
      cancelLabel: t('form.stay'),
      isDanger: true,
    }),
    own.signal,
  )
}
