import { type Tone, channelStatus, objectIn } from '#console'
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
  const { status_reason: reason, status_time: time } = objectIn(other_info) ?? {}
  if (typeof reason !== 'string' || !reason) return undefined
  return { reason, seconds: Number(time) || 0 }
}

export interface DeadKey {
  /** From 1, in the order in which the keys were entered. */
  position: number
  reason: string
  time: number
}

/** The keys of a channel with several that its upstream refuses, and how many it has. */
export function deadKeysOf({ other_info }: Channel): { keys: number; dead: DeadKey[] } | undefined {
  const { keys, dead_keys: dead } = objectIn(other_info) ?? {}
  if (!Array.isArray(dead) || dead.length === 0) return undefined
  return { keys: Number(keys) || 0, dead: dead as DeadKey[] }
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
