import { describe, expect, it } from 'vitest'
import type { Adapter } from '../contract/adapter.ts'
import type { ChannelRecord } from '../data/models/channel.ts'
import { createSecrets } from '../secrets/secrets.ts'
import { keptSecrets, openSetting, sealSetting, shownChannel } from './setting-secrets.ts'

const secrets = createSecrets(Buffer.alloc(32, 7))
const properties = {
  password: { type: 'string', 'x-ui': { secret: true } },
  region: { type: 'string' },
}
const adapter = { id: 'sample', settings: { type: 'object', properties } } as unknown as Adapter
const given = '{"password":"hunter2","region":"eu"}'
const record = (setting: string) => ({ id: 1, type: 1, setting }) as ChannelRecord
const stored = sealSetting(given, '', adapter, secrets)

describe('a secret among the settings of an adapter', () => {
  it('is encrypted where it is stored and clear where it is used', () => {
    expect(stored).not.toContain('hunter2')
    expect(JSON.parse(openSetting(stored, adapter, secrets))).toEqual(JSON.parse(given))
  })

  it.each([
    ['while its adapter is on', stored, adapter],
    ['while its adapter is off', stored, undefined],
    ['that an earlier version stored in clear', given, adapter],
  ])('is told to nobody %s', (_name, setting, of) => {
    const shown = shownChannel(record(setting), of)
    expect(JSON.stringify(shown)).not.toMatch(/hunter2|v1:/)
    expect(JSON.parse(shown.setting)).toEqual({ region: 'eu' })
    expect(shown.setting_secrets).toEqual(['password'])
  })

  it('stays when it is left out, changes when it is given, goes when it is blank', () => {
    const edited = (text: string) =>
      JSON.parse(openSetting(sealSetting(text, stored, adapter, secrets), adapter, secrets))
    expect(edited('{"region":"us"}')).toEqual({ region: 'us', password: 'hunter2' })
    expect(edited('')).toEqual({ password: 'hunter2' })
    expect(edited('{"password":"other"}')).toEqual({ password: 'other' })
    expect(edited('{"password":"","region":"us"}')).toEqual({ region: 'us' })
    expect(edited('{"password":" \\n","region":"us"}')).toEqual({ region: 'us' })
    expect(keptSecrets('{"region":"us"}', stored, adapter)).toEqual(['password'])
    expect(keptSecrets('{"password":"other"}', stored, adapter)).toEqual([])
  })

  it('is no text that somebody sealed himself', () => {
    const own = `{"password":${JSON.stringify(secrets.encrypt('mine'))}}`
    const opened = JSON.parse(openSetting(sealSetting(own, '', adapter, secrets), adapter, secrets))
    expect(opened).toEqual(JSON.parse(own))
  })
})
