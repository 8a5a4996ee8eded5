/** How long a screen waits for what it shows. Most proxies give up after the same time. Actions have no limit: testing a channel takes as
 *  long as its provider does. */
export const READ_LIMIT_MS = 60_000

export interface TimeLimit {
  signal: AbortSignal | undefined
  isOver(): boolean
  /** Call it when the answer has been read. */
  end(): void
}

/** Aborts when the caller does, or when the time is over. Without `limitMs` only the caller aborts. */
export function timeLimit(caller: AbortSignal | undefined, limitMs: number | undefined): TimeLimit {
  if (limitMs === undefined) return { signal: caller, isOver: () => false, end() {} }
  const control = new AbortController()
  let isOver = false
  const timer = window.setTimeout(() => {
    isOver = true
    control.abort()
  }, limitMs)
  const abort = () => control.abort(caller?.reason)
  if (caller?.aborted) abort()
  caller?.addEventListener('abort', abort)
  return {
    signal: control.signal,
    isOver: () => isOver,
    end() {
      window.clearTimeout(timer)
      caller?.removeEventListener('abort', abort)
    },
  }
}
