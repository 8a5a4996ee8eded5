import { describe, expect, it } from 'vitest'
import { classTable } from './class-table.ts'

describe('a table of failure classes', () => {
  const classify = classTable(
    {
      'insufficient-funds': [1113],
      throttled: ['quota'],
      'invalid-credentials': ['AuthFailure.*'],
    },
    { denied: ['AuthFailure.UnauthorizedOperation'], upstream: ['AuthFailure.Sign*'] },
  )

  it.each([
    { code: 1113, type: undefined, expected: 'insufficient-funds' },
    { code: '1113', type: undefined, expected: 'insufficient-funds' },
    { code: null, type: 'quota', expected: 'throttled' },
    { code: '1113', type: 'quota', expected: 'insufficient-funds' },
    { code: 'AuthFailure.Token', type: undefined, expected: 'invalid-credentials' },
    { code: 'AuthFailure.UnauthorizedOperation', type: undefined, expected: 'denied' },
    { code: 'AuthFailure.SignExpire', type: undefined, expected: 'upstream' },
    { code: 'other', type: undefined, expected: undefined },
    { code: null, type: undefined, expected: undefined },
  ])('reads code $code and type $type as $expected', ({ code, type, expected }) => {
    expect(classify({ code, type })).toBe(expected)
  })
})
