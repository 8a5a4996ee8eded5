import { expect, it } from 'vitest'
import { OldRow } from './old-row.ts'

it('says what a number is that is too large to count with', () => {
  const row = new OldRow({ quota: 2n ** 62n, text: '9223372036854775807', small: -7n, none: null })
  expect(['quota', 'text', 'small', 'none'].map((name) => row.whole(name))).toEqual([0, 0, -7, 0])
  expect(['quota', 'text', 'small', 'none'].map((name) => row.isBeyond(name))).toEqual([
    true,
    true,
    false,
    false,
  ])
})

it('takes NUL out of a text, because PostgreSQL stores none', () => {
  expect(new OldRow({ name: 'a\0b', bytes: Buffer.from('c\0') }).text('name')).toBe('ab')
})
