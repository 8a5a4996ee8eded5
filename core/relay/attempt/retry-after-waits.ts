import { setTimeout as delay } from 'node:timers/promises'
import { hasFreshKey } from '../../channels/keys/multi-key.ts'
import type { RoutedChannel } from '../../channels/routing/routed-channel.ts'
import type { JudgedFailure } from '../failure/failures.ts'

/** The longest that a call waits for its channels, all its waits together. */
const LONGEST_WAIT_MS = 5_000

/** Of one call: a channel that named a time (Retry-After) is not asked again before it is over. */
export class RetryAfterWaits {
  #leftMs = LONGEST_WAIT_MS
  readonly #dueAtMs = new Map<number, number>()

  /** A limit is that of a key: a channel with keys that this call has not tried may be asked at once. */
  note(
    { id, keyViews }: RoutedChannel,
    { retryAfterSeconds }: JudgedFailure,
    triedKeys: ReadonlySet<string> = new Set(),
  ): void {
    if (retryAfterSeconds === undefined || hasFreshKey(keyViews, triedKeys)) return
    this.#dueAtMs.set(id, performance.now() + retryAfterSeconds * 1000)
  }

  /** False at once if the channel's time is too far off: then the client learns of it, and repeats the call itself. */
  async waitFor({ id }: RoutedChannel): Promise<boolean> {
    const waitMs = (this.#dueAtMs.get(id) ?? 0) - performance.now()
    if (waitMs <= 0) return true
    if (waitMs > this.#leftMs) return false
    this.#leftMs -= waitMs
    await delay(waitMs)
    return true
  }
}
