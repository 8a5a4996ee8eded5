import { describe, expect, it } from 'vitest'
import type { RoutedChannel } from '../../channels/routing/routed-channel.ts'
import { boundChannel } from './admit.ts'

describe('the channel of a stored response that a call continues', () => {
  const channel = (more: Partial<RoutedChannel> = {}) =>
    ({
      id: 7,
      isEnabled: true,
      groups: ['default'],
      view: { models: ['m'] },
      ...more,
    }) as RoutedChannel
  const found = (stored: RoutedChannel | undefined) =>
    boundChannel(
      {
        bound: { channelId: 7, keyHash: '', model: 'm' },
        group: 'default',
        requestedModel: 'm',
      },
      { index: () => ({ find: (id: number) => (id === 7 ? stored : undefined) }) as never },
    )

  it('serves the call', () => {
    const stored = channel()
    expect(found(stored)).toBe(stored)
  })

  it('serves nobody while it is disabled, nor in a group that it is not for', () => {
    expect(found(channel({ isEnabled: false }))).toBeUndefined()
    expect(found(channel({ groups: ['vip'] }))).toBeUndefined()
  })

  it('leaves the call to any channel once it is gone, or has the model no more', () => {
    expect(found(undefined)).toBe('free')
    expect(found(channel({ view: { models: ['other'] } as never }))).toBe('free')
  })
})
