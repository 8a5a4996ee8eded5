import { jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { testAdapter } from '#test'
import vector from '../../test/fixtures/signatures/zhipu-jwt.json' with { type: 'json' }
import zhipu from './index.ts'
import { signToken } from './token.ts'

testAdapter(zhipu, new URL('./cases/', import.meta.url))

describe('the token of a Zhipu key', () => {
  const { key, nowMs } = vector.input

  it('is the published one, byte for byte', async () => {
    expect(await signToken(key, nowMs)).toBe(vector.expected.token)
  })

  it('verifies with the secret alone', async () => {
    const secret = new TextEncoder().encode(key.split('.')[1])
    const { payload, protectedHeader } = await jwtVerify(await signToken(key, nowMs), secret)
    expect(payload).toEqual(vector.expected.payload)
    expect(protectedHeader).toEqual(vector.expected.header)
  })
})
