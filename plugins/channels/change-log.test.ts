import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { PluginServices } from '#core'
import { logAutomaticChanges } from './change-log.ts'

interface Row {
  user_id: number
  type: number
  content: string
  channel_id?: number
  other: string
}

let events: EventEmitter
let rows: Row[]
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  events = new EventEmitter()
  rows = []
  stop = logAutomaticChanges({
    events: {
      on: (name: string, listener: (event: unknown) => void) => {
        events.on(name, listener)
        return () => events.off(name, listener)
      },
    },
    logs: { write: (row: Row) => void rows.push(row) },
  } as unknown as PluginServices)
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

const change = (name: 'disabled' | 'enabled', channelId: number, reason = '') =>
  events.emit(`channel.${name}`, { channelId, name: 'main', reason })
const facts = () => rows.map(({ other }) => JSON.parse(other) as Record<string, unknown>)

it('writes one row for each channel, which belongs to no user', () => {
  change('disabled', 7, 'no money')
  change('enabled', 7)
  expect(rows).toMatchObject([
    { user_id: 0, type: 4, channel_id: 7, content: expect.stringContaining('main (id 7)') },
    { user_id: 0, type: 4, channel_id: 7 },
  ])
  expect(rows[0]?.content).toContain('no money')
  expect(facts()).toEqual([
    { op: 'channel.disabled', id: 7, name: 'main', reason: 'no money' },
    { op: 'channel.enabled', id: 7, name: 'main' },
  ])
})

it('tells which of several keys is passed over', () => {
  const key = { channelId: 7, name: 'main', position: 2, left: 1, reason: 'no money' }
  events.emit('channel.key_disabled', key)
  expect(rows[0]).toMatchObject({ user_id: 0, type: 4, channel_id: 7 })
  expect(facts()).toEqual([
    { op: 'channel.key_disabled', id: 7, name: 'main', position: 2, left: 1, reason: 'no money' },
  ])
})

it('writes sixty rows a minute at the most, and one that names the rest', () => {
  for (let id = 1; id <= 500; id += 1) change('disabled', id, 'refused')
  expect(rows).toHaveLength(60)
  change('enabled', 1)
  expect(rows).toHaveLength(61)
  vi.advanceTimersByTime(60_000)
  expect(rows).toHaveLength(62)
  const { op, count, ids } = facts()[61] as { op: string; count: number; ids: number[] }
  expect({ op, count, first: ids[0], named: ids.length }).toEqual({
    op: 'channel.disabled.more',
    count: 440,
    first: 61,
    named: 200,
  })
  change('disabled', 501, 'refused')
  expect(rows).toHaveLength(63)
})

it('keeps none for itself when it is switched off', () => {
  for (let id = 1; id <= 61; id += 1) change('disabled', id)
  stop()
  expect(rows).toHaveLength(61)
  change('disabled', 62)
  expect(rows).toHaveLength(61)
})
