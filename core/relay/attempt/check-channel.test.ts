import { describe, expect, it } from 'vitest'
import type { ChannelView } from '../../contract/adapter.ts'
import { defineAdapter } from '../../contract/adapter.ts'
import { checkChannel } from './check-channel.ts'

const adapter = defineAdapter({
  id: 'demanding',
  channelTypes: { 9999: 'Demanding' },
  baseUrl: '',
  models: [],
  operations: {},
  summary: 'demands two fields',
  form: {
    baseUrl: { required: true },
    other: { label: { en: 'Region', zh: '区域' }, required: true },
  },
})

const view: ChannelView = {
  id: 1,
  type: 9999,
  name: '',
  key: 'k',
  baseUrl: 'https://api.example.com',
  other: 'north',
  organization: '',
  models: [],
  setting: {},
}

describe('checking a channel before a call', () => {
  it('lets a complete channel pass', () => {
    expect(() => checkChannel(adapter, view)).not.toThrow()
  })

  it.each([
    { missing: 'the base URL', change: { baseUrl: '' }, says: 'needs a base URL' },
    { missing: 'the extra field', change: { other: ' ' }, says: 'needs the field "Region"' },
  ])('refuses a channel without $missing', ({ change, says }) => {
    expect(() => checkChannel(adapter, { ...view, ...change })).toThrow(says)
  })

  it('names the extra field in both languages', () => {
    const text = {
      en: 'This channel type needs the field "Region".',
      zh: '此类型的渠道必须填写“区域”。',
    }
    expect(() => checkChannel(adapter, { ...view, other: '' })).toThrow(
      expect.objectContaining({ text }),
    )
  })
})
