import { type Tone, channelStatus } from '#console'
import type { ChannelRecord, RecentChannelHealth } from '../schema.ts'

/** One channel as `/api/channel/` sends it, its `key` empty; the drawer enters one. */
export type Channel = Omit<ChannelRecord, 'key'> & {
  key: string
  /** Only lists have it. */
  health?: RecentChannelHealth
}

const states: Readonly<Record<number, { key: string; tone: Tone }>> = {
  [channelStatus.enabled]: { key: 'enabled', tone: 'success' },
  [channelStatus.disabledByHand]: { key: 'disabled', tone: 'off' },
  [channelStatus.disabledAutomatically]: { key: 'autoDisabled', tone: 'warning' },
}

export function stateOf(status: number): { key: string; tone: Tone } {
  return states[status] ?? { key: 'unknown', tone: 'off' }
}

/** Why and when a channel was switched off automatically. */
export function reasonOf({ other_info }: Channel): { reason: string; seconds: number } | undefined {
  if (!other_info) return undefined
  try {
    const info = JSON.parse(other_info) as { status_reason?: unknown; status_time?: unknown }
    if (typeof info.status_reason !== 'string' || !info.status_reason) return undefined
    return { reason: info.status_reason, seconds: Number(info.status_time) || 0 }
  } catch {
    return undefined
  }
}

export interface DeadKey {
  /** From 1, in the order in which the keys were entered. */
  position: number
  reason: string
  time: number
}

/** The keys of a channel with several that its upstream refuses, and how many it has. */
export function deadKeysOf({ other_info }: Channel): { keys: number; dead: DeadKey[] } | undefined {
  if (!other_info) return undefined
  try {
    const info = JSON.parse(other_info) as { keys?: unknown; dead_keys?: unknown }
    if (!Array.isArray(info.dead_keys) || info.dead_keys.length === 0) return undefined
    return { keys: Number(info.keys) || 0, dead: info.dead_keys as DeadKey[] }
  } catch {
    return undefined
  }
}

export type Pace = 'untested' | 'failed' | 'fast' | 'fair' | 'slow' | 'bad'

/** Steps at 1, 3 and 5 seconds; of a test that failed the time says nothing. */
export function paceOf({
  response_time: milliseconds,
  test_fault,
}: Pick<Channel, 'response_time' | 'test_fault'>): Pace {
  if (test_fault !== '') return 'failed'
  if (milliseconds === 0) return 'untested'
  if (milliseconds <= 1000) return 'fast'
  if (milliseconds <= 3000) return 'fair'
  return milliseconds <= 5000 ? 'slow' : 'bad'
}
