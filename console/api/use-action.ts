import { useCallback, useEffect, useRef, useState } from 'react'
import { toast } from '../kit/toast.ts'
import { textsOf } from '../texts/use-texts.ts'
import { ApiError } from './client.ts'

/** Runs one call at a time, and says whether it is running. When `run` resolves (to undefined), a failure has already
 *  been shown: handlers need no catch. */
export function useAction<Arguments extends unknown[], Result>(
  action: (...values: Arguments) => Promise<Result>,
): [run: (...values: Arguments) => Promise<Result | undefined>, isRunning: boolean] {
  const [isRunning, setRunning] = useState(false)
  const latest = useRef(action)
  useEffect(() => {
    latest.current = action
  })
  const isBusy = useRef(false)
  const run = useCallback(async (...values: Arguments) => {
    if (isBusy.current) return undefined
    isBusy.current = true
    setRunning(true)
    try {
      return await latest.current(...values)
    } catch (error) {
      reportError(error)
      return undefined
    } finally {
      isBusy.current = false
      setRunning(false)
    }
  }, [])
  return [run, isRunning]
}

/** Shows an error unless the API client has shown it already. */
export function reportError(error: unknown): void {
  if (error instanceof ApiError) return
  toast.error(textsOf()('error.other', { message: messageOf(error) }))
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
