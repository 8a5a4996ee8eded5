import { netTimeout, type ExchangePhase } from '../../net/net-errors.ts'
import type { Attempt } from './attempt.ts'

/** Limits work that an adapter does itself to the time that an upstream has for its headers, and to the life of the
 *  attempt. Calls through the adapter's `http` have limits of their own; other work would have none. With the phase
 *  `connect` another channel may be tried, since nothing was sent.
 *  @throws net.timeout, or the reason for which the attempt was aborted */
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
  // Aborts the whole attempt, so that its pending requests end too: nobody would read their answers.
  const giveUp = () => abort.abort(netTimeout({ phase }))
  const timer = setTimeout(giveUp, context.httpOptions.firstByteTimeoutMs)
  try {
    return await Promise.race([work, ended])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
