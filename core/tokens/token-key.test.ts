import { describe, expect, it } from 'vitest'
import { readTokenKey } from './token-key.ts'

const key = 'a1'.repeat(24)

describe('reading a key as clients send it', () => {
  it.each([
    { credential: key, read: { key } },
    { credential: `sk-${key}`, read: { key } },
    { credential: `Bearer sk-${key}`, read: { key } },
    { credential: `bearer  ${key} `, read: { key } },
    { credential: `sk-${key}-17`, read: { key, channelId: 17 } },
    { credential: `sk-${key}-x`, read: { key, channelId: 'invalid' } },
    { credential: `sk-${key}-1-2`, read: { key, channelId: 'invalid' } },
    { credential: '', read: undefined },
    { credential: 'sk-', read: undefined },
    { credential: "' OR 1=1", read: undefined },
    { credential: 'x'.repeat(10_000), read: undefined },
  ])('reads "$credential"', ({ credential, read }) => {
    expect(readTokenKey(credential)).toEqual(read)
  })
})
