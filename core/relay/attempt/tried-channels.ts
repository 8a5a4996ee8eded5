import type { RoutedChannel } from '../../channels/routed-channel.ts'
import type { TriedFacts } from '../../logs/log-details.ts'

/** One attempt of a call, as its log rows tell it to admins. */
export interface TriedChannel {
  readonly channel: RoutedChannel
  readonly startedAtMs: number
  /** Undefined while it runs, and of the one that answered. */
  failed: { failureClass: string; status: number; durationMs: number } | undefined
}

type Tried = readonly TriedChannel[]

export function tryChannel(channel: RoutedChannel): TriedChannel {
  return { channel, startedAtMs: performance.now(), failed: undefined }
}

/** The last one failed; what it is first told of is why. */
export function markFailed(tried: Tried, failureClass: string, status: number): void {
  const last = tried.at(-1)
  if (last) last.failed ??= { failureClass, status, durationMs: durationOf(last) }
}

/** @param status of the one that did not fail */
export function triedFacts(tried: Tried, status: number): TriedFacts[] {
  // A clock that was set meanwhile moves all of them alike.
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
