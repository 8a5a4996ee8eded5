import { describe, expect, it } from 'vitest'
import { addressKind, embeddedIPv4, parseRange, ranges } from './addresses.ts'

describe('the kind of an address', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '192.0.1.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2001:4860:4860::8888',
    '2002:808:808::1',
    '64:ff9b::808:808',
    '::ffff:8.8.8.8',
  ])('lets anybody name %s', (address) => {
    expect(addressKind(address)).toBe('public')
  })

  it.each([
    '0.0.0.0',
    '127.0.0.1',
    '127.255.255.254',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '192.0.2.7',
    '198.51.100.7',
    '203.0.113.7',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '2001:db8::1',
    '3fff::1',
    '100::1',
    'fec0::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '::ffff:127.0.0.1',
    '::FFFF:7F00:1',
    '::127.0.0.1',
    '::ffff:0:10.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2002:a00:1::5',
  ])('keeps %s for admins', (address) => {
    expect(addressKind(address)).toBe('special')
  })

  it.each([
    '169.254.169.254',
    '169.254.0.1',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fe80::1',
    'febf::1',
    'fe80::1%eth0',
    'fd00:ec2::254',
    'fd20:ce::254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::',
    '64:ff9b:1::a9fe:a9fe',
    '0:0:0:0:0:ffff:a9fe:a9fe',
  ])('opens %s to nobody', (address) => {
    expect(addressKind(address)).toBe('forbidden')
  })

  it('finds the IPv4 address inside an IPv6 one', () => {
    expect(embeddedIPv4('::ffff:1.2.3.4')).toEqual(['1.2.3.4'])
    expect(embeddedIPv4('2002:102:304::9')).toEqual(['1.2.3.4'])
    expect(embeddedIPv4('2606:4700::1')).toEqual([])
    expect(embeddedIPv4('1.2.3.4')).toEqual([])
  })
})

describe('a list of ranges', () => {
  it('holds addresses and CIDR ranges of both families', () => {
    const list = ranges(['10.0.0.0/8', '192.168.1.7', 'fd00::/8'])
    expect(list.check('10.9.9.9', 'ipv4')).toBe(true)
    expect(list.check('192.168.1.8', 'ipv4')).toBe(false)
    expect(list.check('fd00::9', 'ipv6')).toBe(true)
  })

  it.each(['127.1', '0177.0.0.1', '0x7f.0.0.1', '2130706433', '127.1/8', '0177.0.0.1/8', '10/8'])(
    'takes %j, which is short or octal, for no address',
    (entry) => {
      expect(parseRange(entry)).toBeUndefined()
    },
  )

  it('knows zones', () => {
    const range = { address: 'fe80::1%eth-0.5', bits: 64, family: 'ipv6' }
    expect(parseRange('fe80::1%eth-0.5/64')).toEqual(range)
  })

  it.each(['', 'example.com', '10.0.0.0/33', '10.0.0.0/', 'fd00::/129', '10.0.0.0/8/8', '10/8'])(
    'refuses %j by name',
    (entry) => {
      expect(() => ranges([entry])).toThrow(JSON.stringify(entry))
    },
  )
})
