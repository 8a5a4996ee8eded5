import { isOfKey } from '../../channels/keys/multi-key.ts'
import type { RoutedChannel } from '../../channels/routing/routed-channel.ts'
import type { TriedFacts } from '../../logs/log-details.ts'

/** One attempt of a call, as the log row shows it to admins. */
export interface TriedChannel {
  readonly channel: RoutedChannel
  readonly startedAtMs: number
  /** Undefined while the attempt runs, and for the attempt that answered. */
  failed: { failureClass: string; status: number; durationMs: number } | undefined
}

type Tried = readonly TriedChannel[]

export function tryChannel(channel: RoutedChannel): TriedChannel {
  return { channel, startedAtMs: performance.now(), failed: undefined }
}

/** Marks the last attempt as failed. The first failure that is reported for it counts. */
export function markFailed(tried: Tried, failureClass: string, status: number): void {
  const last = tried.at(-1)
  if (last) last.failed ??= { failureClass, status, durationMs: durationOf(last) }
}

const none: readonly number[] = []
const noKeys: ReadonlySet<string> = new Set()

/** Channels whose provider refused every key that there is: asked again, it would refuse them again. A key that failed
 *  in another way may do better. */
export function spentOf(tried: Tried, refusedKeys = noKeys): readonly number[] {
  if (tried.length === 0) return none
  return tried
    .filter(
      ({ channel, failed }) =>
        failed && isOfKey(failed.failureClass) && isRefused(channel, refusedKeys),
    )
    .map(({ channel }) => channel.id)
}

function isRefused({ keyViews }: RoutedChannel, refusedKeys: ReadonlySet<string>): boolean {
  return keyViews.length === 1 || keyViews.every(({ key }) => refusedKeys.has(key))
}

/** @param status the status of the attempt that did not fail */
export function triedFacts(tried: Tried, status: number): TriedFacts[] {
  // Computed once, so that a change of the system clock moves all times alike.
  const clockMs = Date.now() - performance.now()
  return tried.map((one) => {
    const { channel, failed, startedAtMs } = one
    return {
      channelId: channel.id,
      startedAtMs: Math.floor(clockMs + startedAtMs),
      ...(failed ?? { status, durationMs: durationOf(one) }),
    }
  })
}

function durationOf({ startedAtMs }: TriedChannel): number {
  return Math.floor(performance.now() - startedAtMs)
}
