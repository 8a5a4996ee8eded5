import { useCallback, useEffect, useState } from 'react'
import { ApiError } from '../api/client.ts'
import { messageOf } from '../api/use-action.ts'
import { toast } from '../kit/toast.ts'
import { useRegistry } from '../registry/registry.ts'
import { textsOf } from '../texts/use-texts.ts'
import { firstStatus } from './early-start.ts'

/** Asks the server for its status and its plugins. Screens wait for both, so that nothing moves later. */
export function useStart(): { isReady: boolean; fault: StartFault | undefined; retry(): void } {
  const [isAsked, setAsked] = useState(false)
  const [error, setError] = useState<unknown>()
  const isRegistryReady = useRegistry((registry) => registry.isReady)
  const start = useCallback(() => {
    const failed = (cause: unknown) => {
      toast.error(statusFault(cause))
      setError(cause)
    }
    const status = firstStatus().then(() => setError(undefined), failed)
    void status.then(() => setAsked(true))
  }, [])
  useEffect(start, [start])
  useSearchKey()
  const fault = error === undefined ? undefined : faultOf(error)
  return { isReady: isAsked && isRegistryReady, fault, retry: start }
}

export interface StartFault {
  title: string
  message: string
}

function faultOf(error: unknown): StartFault {
  return { title: statusFault(error), message: messageOf(error) }
}

/** The server did not answer, or the answer is no status. */
function statusFault(error: unknown): string {
  const isAnswered = error instanceof ApiError && error.status > 0
  return textsOf()(isAnswered ? 'error.statusUnread' : 'error.status')
}

/** The key `/` moves the focus to the search field of the page. */
function useSearchKey(): void {
  useEffect(() => {
    const focusSearch = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      const isTyping = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping) return
      const search = document.querySelector<HTMLElement>('input[type=search]')
      if (!search) return
      event.preventDefault()
      search.focus()
    }
    document.addEventListener('keydown', focusSearch)
    return () => document.removeEventListener('keydown', focusSearch)
  }, [])
}
