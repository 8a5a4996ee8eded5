import { describe, expect, it } from 'vitest'
import { isAddressAllowed, isAddressOrRange, readAddressList } from './address-list.ts'

describe('the address list of a token', () => {
  it('takes one address per line, spaces and commas around them', () => {
    expect(readAddressList(' 1.2.3.4,\n\n::1 , 10.0.0.0/8\n')).toEqual([
      '1.2.3.4',
      '::1',
      '10.0.0.0/8',
    ])
  })

  it.each([
    { allowed: [], address: '9.9.9.9', isAllowed: true },
    { allowed: ['1.2.3.4'], address: '1.2.3.4', isAllowed: true },
    { allowed: ['1.2.3.4'], address: '1.2.3.5', isAllowed: false },
    { allowed: ['1.2.3.4'], address: '::ffff:1.2.3.4', isAllowed: true },
    { allowed: ['10.0.0.0/8'], address: '10.255.0.1', isAllowed: true },
    { allowed: ['10.0.0.0/8'], address: '11.0.0.1', isAllowed: false },
    { allowed: ['2001:db8::/32'], address: '2001:db8:1::1', isAllowed: true },
    { allowed: ['2001:db8::/32'], address: '1.2.3.4', isAllowed: false },
    { allowed: ['::ffff:1.2.3.4'], address: '1.2.3.4', isAllowed: true },
    { allowed: ['::ffff:1.2.0.0/16'], address: '1.2.3.4', isAllowed: true },
    { allowed: ['::ffff:1.2.0.0/16'], address: '1.3.3.4', isAllowed: false },
    { allowed: ['::ffff:1.2.0.0/16'], address: '::1', isAllowed: false },
    { allowed: ['nonsense', '1.2.3.4'], address: '1.2.3.4', isAllowed: true },
    { allowed: ['nonsense'], address: '1.2.3.4', isAllowed: false },
    { allowed: ['1.2.3.4'], address: '', isAllowed: false },
  ])('$allowed lets $address in: $isAllowed', ({ allowed, address, isAllowed }) => {
    expect(isAddressAllowed(allowed, address)).toBe(isAllowed)
  })

  it.each(['1.2.3', 'host', '1.2.3.4/33', '1.2.3.4/', '::1/129', '1.2.3.4/8/8', '0/0'])(
    'knows that %s is no address',
    (entry) => {
      expect(isAddressOrRange(entry)).toBe(false)
    },
  )
})
