import { describe, expect, it } from 'vitest'
import { HostNames } from './host-names.ts'
import { SsrfGuard } from './ssrf-guard.ts'

const forbidden = expect.objectContaining({ code: 'net.forbidden_address' })

function guardOver(names: Record<string, string[]>, allow: string[] = []) {
  const asked: string[] = []
  const resolve = async (hostname: string) => {
    asked.push(hostname)
    return (names[hostname] ?? []).map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }))
  }
  return { guard: new SsrfGuard(allow, new HostNames({ resolve })), asked }
}

describe('judging hosts', () => {
  it('closes private addresses to users and leaves them to admins', () => {
    const { guard } = guardOver({})
    expect(() => guard.checkHost('192.168.0.1', 'user')).toThrow(forbidden)
    expect(() => guard.checkHost('[::1]', 'user')).toThrow(forbidden)
    guard.checkHost('192.168.0.1', 'admin')
    guard.checkHost('8.8.8.8', 'user')
  })

  it('closes metadata services to admins too', () => {
    const { guard } = guardOver({})
    expect(() => guard.checkHost('169.254.169.254', 'admin')).toThrow(forbidden)
    expect(() => guard.checkHost('[::ffff:a9fe:a9fe]', 'admin')).toThrow(forbidden)
  })

  it.each(['http://2130706433/', 'http://0x7f.1/', 'http://0177.0.0.1/', 'http://127.1/'])(
    'sees through the spelling %s',
    (text) => {
      const { guard } = guardOver({})
      expect(() => guard.checkHost(new URL(text).hostname, 'user')).toThrow(forbidden)
    },
  )

  it('opens what SSRF_ALLOW names, also behind an IPv6 wrapping', () => {
    const { guard } = guardOver({}, ['10.0.0.0/8'])
    guard.checkHost('10.1.2.3', 'user')
    guard.checkHost('[::ffff:10.1.2.3]', 'user')
    expect(() => guard.checkHost('192.168.0.1', 'user')).toThrow(forbidden)
  })

  it('refuses a name as soon as one of its addresses is closed', async () => {
    const { guard } = guardOver({ 'mixed.test': ['8.8.8.8', '10.0.0.1'] })
    await expect(guard.resolve('mixed.test', 'user')).rejects.toEqual(forbidden)
    expect(await guard.resolve('mixed.test', 'admin')).toHaveLength(2)
  })

  it('asks once for connections that open together', async () => {
    const { guard, asked } = guardOver({ 'one.test': ['8.8.8.8'] })
    await Promise.all(Array.from({ length: 10 }, () => guard.resolve('one.test', 'user')))
    expect(asked).toEqual(['one.test'])
  })

  it('asks again after a failure', async () => {
    const names: Record<string, string[]> = {}
    const { guard } = guardOver(names)
    await expect(guard.resolve('late.test', 'user')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    names['late.test'] = ['8.8.8.8']
    expect(await guard.resolve('late.test', 'user')).toHaveLength(1)
  })
})
