import { netTimeout, type ExchangePhase } from '../../net/net-errors.ts'
import type { Attempt } from './attempt.ts'

/**
 * Waits for what an adapter does by itself as long as for the headers of an upstream, and no longer than its attempt lasts: calls of `http` have
 * limits of their own, other work has none. `connect`: nothing of the call was sent, so another channel may be tried.
 * @throws net.timeout, whatever ended the attempt
 */
export function byAdapter<T>(
  attempt: Pick<Attempt, 'abort' | 'context'>,
  work: T | Promise<T>,
  phase: ExchangePhase = 'connect',
): T | Promise<T> {
  return work instanceof Promise ? inTime(attempt, work, phase) : work
}

async function inTime<T>(
  { abort, context }: Pick<Attempt, 'abort' | 'context'>,
  work: Promise<T>,
  phase: ExchangePhase,
): Promise<T> {
  const { signal } = abort
  let onAbort: () => void = () => undefined
  const ended = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort)
  })
  // Also for what it still waits for: nobody reads that any more.
  const giveUp = () => abort.abort(netTimeout({ phase }))
  const timer = setTimeout(giveUp, context.httpOptions.firstByteTimeoutMs)
  try {
    return await Promise.race([work, ended])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
