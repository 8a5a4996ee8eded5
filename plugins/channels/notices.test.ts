import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Notice, PluginServices } from '#core'
import { notifyAdmins } from './notices.ts'

let events: EventEmitter
let notices: Notice[]
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  events = new EventEmitter()
  notices = []
  stop = notifyAdmins({
    events: {
      on: (name: string, listener: (event: unknown) => void) => {
        events.on(name, listener)
        return () => events.off(name, listener)
      },
    },
    notifications: { notifyAdmins: async (notice: Notice) => void notices.push(notice) },
    options: { get: () => 'https://gate.test' },
    environment: { port: 3000 },
  } as unknown as PluginServices)
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

const disable = (channelId: number) =>
  events.emit('channel.disabled', { channelId, name: 'main', reason: `no money for ${channelId}` })
const titles = () => notices.map(({ title }) => title.en)

it('tells of the first at once, and in one letter of all that fail soon after it', () => {
  for (let id = 1; id <= 34; id += 1) disable(id)
  expect(titles()).toEqual(['Channel main (#1) was disabled'])
  vi.advanceTimersByTime(5_000)
  expect(titles().slice(1)).toEqual(['33 channels were disabled'])
  const [, { content, values, kind }] = notices as [Notice, Notice]
  expect(kind).toBe('channel_update_2_3')
  for (const text of [content.en, content.zh])
    expect(text.split('{{value}}')).toHaveLength(values.length + 1)
  expect(content.en).toContain('And 3 more.')
  expect(values.slice(0, 3)).toEqual(['main', '2', 'no money for 2'])
  expect(values.at(-1)).toBe('https://gate.test/channel?status=3')
})

it('tells of one by itself again once it has been quiet', () => {
  disable(1)
  disable(2)
  vi.advanceTimersByTime(5_000)
  vi.advanceTimersByTime(5_000)
  disable(3)
  expect(titles()).toEqual([1, 2, 3].map((id) => `Channel main (#${id}) was disabled`))
})

it('tells of keys that are passed over, with what is left', () => {
  const key = { channelId: 7, name: 'main', position: 2, left: 1, reason: 'no money' }
  events.emit('channel.key_disabled', key)
  for (const position of [3, 4]) events.emit('channel.key_disabled', { ...key, position })
  vi.advanceTimersByTime(5_000)
  expect(titles()).toEqual([
    'A key of channel main is passed over',
    '2 keys of channels are passed over',
  ])
  const [{ content, values, kind }] = notices as [Notice]
  const link = 'https://gate.test/channel?keyword=7'
  expect(kind).toBe('channel_update_7_key')
  for (const text of [content.en, content.zh])
    expect(text.split('{{value}}')).toHaveLength(values.length + 1)
  expect(values).toEqual(['main', '7', '2', '1', 'no money', link, link])
})

it('tells of those that passed a test in the same way, beside the others', () => {
  disable(1)
  for (let channelId = 1; channelId <= 3; channelId += 1)
    events.emit('channel.enabled', { channelId, name: 'main', reason: '' })
  vi.advanceTimersByTime(5_000)
  expect(titles().slice(1)).toEqual([
    'Channel main (#1) is enabled again',
    '2 channels are enabled again',
  ])
})

it('keeps none for itself when it is switched off', () => {
  disable(1)
  disable(2)
  stop()
  expect(titles()).toHaveLength(2)
})
