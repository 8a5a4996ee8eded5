import { splitList } from '#console'
import { describe, expect, it } from 'vitest'
import { type Channel, deadKeysOf, paceOf, reasonOf } from '../channel.ts'
import {
  bodyOf,
  emptyChannel,
  endsInVersion,
  formOf,
  needsKeyAgain,
  shownOf,
} from './channel-form.ts'
import { readSetting, writeSetting } from './setting-json.ts'
import { groupByTag } from '../tag-rows.ts'

const { groups: _, ...fields } = emptyChannel
/** The fields of a record that these tests read. */
const channel = {
  ...fields,
  id: 4,
  name: 'Main',
  key: '',
  status: 1,
  base_url: '',
  models: 'gpt-4o,gpt-4o-mini',
  group: 'default,vip',
  test_fault: '',
  auto_ban: 0,
} as Channel

describe('the form of a channel', () => {
  it('turns comma lists into lists and back', () => {
    const form = formOf(channel)
    expect(form.models).toEqual(['gpt-4o', 'gpt-4o-mini'])
    expect(form.groups).toEqual(['default', 'vip'])
    expect(bodyOf({ ...form, models: ['a', 'b'], groups: ['vip'], auto_ban: true }, form)).toEqual({
      id: 4,
      type: 1,
      models: 'a,b',
      group: 'vip',
      auto_ban: 1,
    })
  })

  it('sends of a record what was changed, so that nobody else is overwritten', () => {
    const before = formOf({ ...channel, tag: 'eu', weight: 5, balance: 5, status: 3 })
    expect(bodyOf(before, before)).toEqual({ id: 4, type: 1 })
    const { tag: __, weight: ___, ...cleared } = before
    const form = { ...cleared, tag: undefined, weight: undefined, name: ' Other ' }
    expect(bodyOf(form as typeof before, before)).toEqual({
      id: 4,
      type: 1,
      name: 'Other',
      tag: '',
      weight: 0,
    })
  })

  it('says of what is changed how it was, but not of the key and the status', () => {
    const before = formOf(channel)
    const form = { ...before, models: ['a'], name: 'Other', key: 'sk-1', status: 2 }
    expect(shownOf(bodyOf(form, before), channel)).toEqual({
      type: 1,
      name: 'Main',
      models: 'gpt-4o,gpt-4o-mini',
    })
  })

  it('sends columns that it does not know', () => {
    const before = formOf({ ...channel, made_up: 'a' } as Channel)
    expect(bodyOf({ ...before, made_up: 'b' } as typeof before, before)).toMatchObject({
      made_up: 'b',
    })
  })

  it('keeps the stored key when none is typed', () => {
    const before = formOf({ ...channel, key: 'leaked' })
    expect(bodyOf(before, before)).not.toHaveProperty('key')
    expect(bodyOf({ ...before, key: ' sk-1 ' }, before)).toMatchObject({ key: 'sk-1' })
  })

  it('falls back to the group default and drops one slash', () => {
    const body = bodyOf({ ...emptyChannel, name: 'x', groups: [], base_url: 'https://a.test/' })
    expect(body).toMatchObject({ group: 'default', base_url: 'https://a.test', priority: 0 })
  })

  it.each([
    { address: 'https://a.test/v1', asks: true },
    { address: 'https://a.test/v1/', asks: true },
    { address: 'https://a.test', asks: false },
    { address: '', asks: false },
  ])('asks about $address: $asks', ({ address, asks }) => {
    expect(endsInVersion(address)).toBe(asks)
  })

  it.each([
    { to: { base_url: 'https://a.test/v2' }, asks: false },
    { to: { base_url: 'https://a.test/', setting: '{"proxy":"http://p:1"}' }, asks: false },
    { to: { base_url: 'https://b.test' }, asks: true },
    { to: { base_url: 'https://a.test:444' }, asks: true },
    { to: { base_url: '' }, asks: true },
    { to: { base_url: 'https://a.test', type: 14 }, asks: true },
  ])('asks for the key again after the change to $to: $asks', ({ to, asks }) => {
    const before = formOf({ ...channel, base_url: 'https://a.test' })
    expect(needsKeyAgain(before, to, () => 'https://own.test')).toBe(asks)
    expect(needsKeyAgain(undefined, to, () => undefined)).toBe(false)
  })

  it('asks for the key again when plain HTTP goes through another proxy', () => {
    const before = formOf({ ...channel, base_url: 'http://a.test' })
    const to = { base_url: 'http://a.test', setting: '{"proxy":"http://p:1"}' }
    expect(needsKeyAgain(before, to, () => undefined)).toBe(true)
  })

  it('takes list entries once and without spaces', () => {
    expect(splitList(' a , b,a,,')).toEqual(['a', 'b'])
  })
})

describe('the setting of a channel', () => {
  it('keeps keys it does not know', () => {
    const setting = { ...readSetting('{"own":{"a":1},"force_format":true}'), proxy: '' }
    expect(JSON.parse(writeSetting(setting))).toEqual({ own: { a: 1 }, force_format: true })
  })

  it('is empty text when nothing is set', () => {
    expect(writeSetting({ force_format: undefined })).toBe('')
  })

  it.each(['[]', '3', '{', '"x"'])('does not take %s for an object', (text) => {
    expect(readSetting(text)).toBeUndefined()
  })
})

describe('rows of a tag', () => {
  const member = (changes: Partial<Channel>): Channel => ({ ...channel, tag: 'eu', ...changes })

  it('adds up what was used and is on when any channel is', () => {
    const [row] = groupByTag([
      member({ id: 1, status: 2, used_quota: 10, response_time: 0 }),
      member({ id: 2, status: 1, used_quota: 5, response_time: 800 }),
    ])
    expect(row).toMatchObject({ tag: 'eu', status: 1, used_quota: 15, response_time: 800 })
  })

  it('shows a number only where all channels share it', () => {
    const [row] = groupByTag([
      member({ priority: 1, weight: 3 }),
      member({ priority: 2, weight: 3 }),
    ])
    expect(row?.priority).toBeUndefined()
    expect(row?.weight).toBe(3)
  })
})

describe('the state of a channel', () => {
  it('tells the reason of an automatic change, and survives a broken one', () => {
    const info = '{"status_reason":"key is dead","status_time":17}'
    expect(reasonOf({ ...channel, other_info: info })).toEqual({
      reason: 'key is dead',
      seconds: 17,
    })
    expect(reasonOf({ ...channel, other_info: '{' })).toBeUndefined()
  })

  it('tells which keys of several are dead', () => {
    const dead = [{ position: 2, reason: 'revoked', time: 17 }]
    const info = JSON.stringify({ keys: 3, dead_keys: dead })
    expect(deadKeysOf({ ...channel, other_info: info })).toEqual({ keys: 3, dead })
    expect(deadKeysOf({ ...channel, other_info: '{"status_reason":"x"}' })).toBeUndefined()
  })

  it.each([
    { ms: 0, pace: 'untested' },
    { ms: 1000, pace: 'fast' },
    { ms: 3000, pace: 'fair' },
    { ms: 5000, pace: 'slow' },
    { ms: 5001, pace: 'bad' },
  ])('calls $ms ms $pace', ({ ms, pace }) => {
    expect(paceOf({ response_time: ms, test_fault: '' })).toBe(pace)
  })
})
