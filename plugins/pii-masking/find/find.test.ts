import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../test/harness/clock.ts'
import { personalKinds, type PersonalKind } from '../schema.ts'
import { findAll, personalSearches } from './personal-finders.ts'

const found = (text: string, kinds: readonly PersonalKind[] = personalKinds) =>
  findAll(
    text,
    kinds.map((kind) => personalSearches[kind]),
  ).map(({ start, end, search }) => `${search.name} ${text.slice(start, end)}`)

describe('finding personal data', () => {
  it.each([
    [
      'Mail ada.lovelace+x@mail.example.co.uk, please.',
      ['EMAIL ada.lovelace+x@mail.example.co.uk'],
    ],
    ['邮箱是ada@example.com。', ['EMAIL ada@example.com']],
    ['<a@b.io>;c_d@e-f.org.', ['EMAIL a@b.io', 'EMAIL c_d@e-f.org']],
    ['@user, a@b, x@.com, me@host.1, @@', []],
    ['邮箱：ａｄａ＠example．com，', ['EMAIL ａｄａ＠example．com']],
    [
      '手机１３８１２３４５６７８、＋８６１３８１２３４５６７８',
      ['PHONE １３８１２３４５６７８', 'PHONE ＋８６１３８１２３４５６７８'],
    ],
    ['地址：10.0.0.1，证件（11010519491231002Ｘ）', ['IP 10.0.0.1', 'ID 11010519491231002Ｘ']],
    ['手机13812345678。', ['PHONE 13812345678']],
    ['+86 138-1234-5678 and 138 1234 5678', ['PHONE +86 138-1234-5678', 'PHONE 138 1234 5678']],
    ['008613812345678', ['PHONE 008613812345678']],
    ['12812345678 and 138123456789 and x13812345678', []],
    ['+49 30 1234567, +1 (555) 010-9999', ['PHONE +49 30 1234567', 'PHONE +1 (555) 010-9999']],
    ['Call (555) 123-4567 or 1-555-123-4567', ['PHONE (555) 123-4567', 'PHONE 1-555-123-4567']],
    ['0571-87654321, 020 7946 0958', ['PHONE 0571-87654321', 'PHONE 020 7946 0958']],
    ['06 12 34 56 78', ['PHONE 06 12 34 56 78']],
    ['On 2026-05-01 12:30:45, 1700000000000, a+12345678, 3.14159265', []],
    ['11010519491231002X', ['ID 11010519491231002X']],
    ['身份证440524188001010015号', []],
    ['身份证11010519491231002x号', ['ID 11010519491231002x']],
    ['110105194912310021 and 11010519491331002X', []],
    ['4111 1111 1111 1111', ['CARD 4111 1111 1111 1111']],
    [
      '4111-1111-1111-1111 or 378282246310005',
      ['CARD 4111-1111-1111-1111', 'CARD 378282246310005'],
    ],
    ['4111 1111 1111 1112', []],
    ['DE89 3704 0044 0532 0130 00.', ['IBAN DE89 3704 0044 0532 0130 00']],
    ['GB82WEST12345698765432', ['IBAN GB82WEST12345698765432']],
    ['DE88370400440532013000 and XX89370400440532013000', []],
    ['From 203.0.113.7:8080 to 10.0.0.1.', ['IP 203.0.113.7', 'IP 10.0.0.1']],
    ['256.1.1.1, 1.2.3, 1.2.3.4.5', []],
    [
      '2001:db8::8a2e:370:7334 and ::1, fe80::1',
      ['IP 2001:db8::8a2e:370:7334', 'IP ::1', 'IP fe80::1'],
    ],
    ['::ffff:192.0.2.1', ['IP ::ffff:192.0.2.1']],
    ['std::vector, a::b, 12:30:45, ::', []],
  ])('of %j', (text, wanted) => {
    expect(found(text)).toEqual(wanted)
  })

  it('looks for no kind that is switched off', () => {
    expect(found('a@b.io 10.0.0.1', ['ip'])).toEqual(['IP 10.0.0.1'])
  })

  it('finds one thing where two overlap', () => {
    expect(found('x@203.0.113.7.example.com')).toEqual(['EMAIL x@203.0.113.7.example.com'])
  })

  const hostile = [
    'a',
    '@',
    'a@',
    'a.',
    '1',
    '1 ',
    '1-',
    '+1',
    '(1) ',
    '0 ',
    ':',
    '1:',
    'a:',
    '1.',
    'DE89 ',
    'DE8',
    '[',
    '.',
    '138 1234 567',
  ]
  it('takes time in proportion to a text, whatever stands in it', () => {
    const slow = hostile.filter((piece) => {
      const text = piece.repeat(Math.ceil(262_144 / piece.length))
      const spentMs = processorTime()
      found(text)
      return spentMs() > 10_000
    })
    // A search in quadratic time would take a minute.
    expect(slow).toEqual([])
  })
})
