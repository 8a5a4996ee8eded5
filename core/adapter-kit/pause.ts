import { setTimeout as delay } from 'node:timers/promises'

/** Waits between two requests to an upstream.
 *  @throws the signal's reason if it is aborted meanwhile */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch((error: unknown) => {
    throw signal.aborted ? signal.reason : error
  })
}
