import { channelStatus, groupBy, splitList } from '#console'
import type { Channel } from './channel.ts'

/** All channels of one tag, as one row of the list. */
export interface TagRow {
  id: string
  tag: string
  channels: Channel[]
  /** Enabled when any of them is. */
  status: number
  used_quota: number
  /** Undefined where they differ. */
  priority: number | undefined
  weight: number | undefined
  /** The mean of the channels that passed their test. */
  response_time: number
  /** Empty where one passed, or none failed. */
  test_fault: string
}

export type Row = Channel | TagRow

export function isTagRow(row: Row): row is TagRow {
  return 'channels' in row
}

/** Each once. */
export function modelsOf(row: Row): string[] {
  const channels = isTagRow(row) ? row.channels : [row]
  return [...new Set(channels.flatMap(({ models }) => splitList(models)))]
}

/** The server sends the channels tag by tag; here they become a row a tag. */
export function groupByTag(channels: readonly Channel[]): TagRow[] {
  return [...groupBy(channels, ({ tag }) => tag ?? '')].map(([tag, ofTag]) => tagRow(tag, ofTag))
}

function tagRow(tag: string, channels: Channel[]): TagRow {
  const failed = channels.filter(({ test_fault }) => test_fault !== '')
  const tested = channels.filter(
    (channel) => channel.response_time > 0 && !failed.includes(channel),
  )
  const isAnyOn = channels.some(({ status }) => status === channelStatus.enabled)
  return {
    id: `tag:${tag}`,
    tag,
    channels,
    status: isAnyOn ? channelStatus.enabled : channelStatus.disabledByHand,
    used_quota: sum(channels.map(({ used_quota }) => used_quota)),
    priority: shared(channels.map(({ priority }) => priority)),
    weight: shared(channels.map(({ weight }) => weight)),
    response_time: tested.length
      ? Math.round(sum(tested.map(({ response_time }) => response_time)) / tested.length)
      : 0,
    test_fault: tested.length > 0 ? '' : (failed[0]?.test_fault ?? ''),
  }
}

function shared(values: readonly number[]): number | undefined {
  return values.every((value) => value === values[0]) ? values[0] : undefined
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
