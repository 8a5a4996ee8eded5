import { describe, expect, it } from 'vitest'
import { testAdapter } from '#test'
import moonshot from './index.ts'
import { readBalance } from './read-balance.ts'

testAdapter(moonshot, new URL('./cases/', import.meta.url))

// Source: platform.moonshot.cn/docs/api/misc, "Get balance".
const answer = {
  code: 0,
  data: { available_balance: 49.5, voucher_balance: 46.5, cash_balance: 3 },
  scode: '0x0',
  status: true,
}

describe('the balance of a Moonshot account', () => {
  it.each([
    { baseUrl: 'https://api.moonshot.cn', dollars: 49.5 / 7 },
    { baseUrl: 'https://api.moonshot.ai', dollars: 49.5 },
  ])('is $dollars dollars at $baseUrl', ({ baseUrl, dollars }) => {
    expect(readBalance(answer, baseUrl, 7)).toBe(dollars)
  })

  it('is an error where the answer says so', () => {
    expect(() => readBalance({ code: 5, message: 'no' }, 'https://api.moonshot.cn', 7)).toThrow(
      'no',
    )
  })
})
