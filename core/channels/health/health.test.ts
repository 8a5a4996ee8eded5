import { describe, expect, it } from 'vitest'
import type { FailureClass } from '../../contract/errors.ts'
import { quietLog } from '../../../test/harness/databases.ts'
import { channelRow, type RowFields } from '../../../test/harness/channel-row.ts'
import { ChannelHealth } from './health.ts'
import { routedChannel } from '../routing/routed-channel.ts'

const keywords = 'Credit balance is too low\n\n  permission denied '

function startHealth(options: Record<string, unknown> = {}) {
  const disabled: { id: number; reason: string }[] = []
  const marked: string[] = []
  const values: Record<string, unknown> = {
    AutomaticDisableChannelEnabled: true,
    AutomaticDisableKeywords: keywords,
    ...options,
  }
  const health = new ChannelHealth({
    options: { get: <T>(key: string) => values[key] as T },
    setAutomatic: async (id, _status, reason) => {
      disabled.push({ id, reason })
    },
    disableKey: async (_id, key) => {
      marked.push(key)
      return 'marked'
    },
    log: quietLog,
  })
  return { health, disabled, marked }
}

const channel = (fields: Partial<RowFields> = {}, key = 'sk-key') =>
  routedChannel(channelRow({ id: 7, ...fields }), key, undefined)

describe('automatic disabling', () => {
  it.each<{ failureClass: FailureClass; message: string; disables: boolean }>([
    { failureClass: 'invalid-credentials', message: 'no', disables: true },
    { failureClass: 'insufficient-funds', message: 'no', disables: true },
    { failureClass: 'upstream', message: 'no', disables: false },
    { failureClass: 'denied', message: 'PERMISSION DENIED for you', disables: true },
    { failureClass: 'bad-request', message: 'Your credit balance is TOO low.', disables: true },
    { failureClass: 'throttled', message: 'permission denied', disables: false },
    { failureClass: 'bad-request', message: 'Invalid "permission denied"', disables: false },
    { failureClass: 'bad-request', message: "Bad 'permission denied'.", disables: false },
    { failureClass: 'bad-request', message: "Bad 'a' permission denied 'b'.", disables: false },
    { failureClass: 'denied', message: "You don't: permission denied, can't", disables: true },
  ])('after $failureClass "$message": $disables', async ({ failureClass, message, disables }) => {
    const { health, disabled } = startHealth()
    await health.failed(channel(), { failureClass, message })
    expect(disabled).toEqual(disables ? [{ id: 7, reason: message }] : [])
  })

  it.each([
    { name: 'the switch is off', options: { AutomaticDisableChannelEnabled: false }, fields: {} },
    { name: 'the channel may not be disabled', options: {}, fields: { auto_ban: 0 } },
    { name: 'the channel is disabled already', options: {}, fields: { status: 3 } },
  ])('does nothing when $name', async ({ options, fields }) => {
    const { health, disabled } = startHealth(options)
    await health.failed(channel(fields), { failureClass: 'invalid-credentials', message: 'no' })
    expect(disabled).toEqual([])
  })

  it.each([
    { auto_ban: 1, marked: ['a'] },
    { auto_ban: 0, marked: [] },
  ])('passes over a dead key of several with auto_ban $auto_ban: $marked', async (row) => {
    const { health, disabled, marked } = startHealth({ AutomaticDisableChannelEnabled: false })
    const several = channel({ auto_ban: row.auto_ban, setting: '{"multi_key":true}' }, 'a\nb')
    const failure = { failureClass: 'invalid-credentials' as const, message: 'no', key: 'a' }
    await health.failed(several, failure)
    expect({ marked, disabled }).toEqual({ marked: row.marked, disabled: [] })
  })

  it('writes once for a burst of failures', async () => {
    const { health, disabled } = startHealth()
    const failure = { failureClass: 'invalid-credentials' as const, message: 'no' }
    await Promise.all(Array.from({ length: 50 }, () => health.failed(channel(), failure)))
    expect(disabled).toHaveLength(1)
  })
})
