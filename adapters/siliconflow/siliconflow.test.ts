import { describe, expect, it } from 'vitest'
import { testAdapter } from '#test'
import siliconflow from './index.ts'
import { readBalance } from './read-balance.ts'

testAdapter(siliconflow, new URL('./cases/', import.meta.url))

// Source: docs.siliconflow.cn/cn/api-reference/userinfo/get-user-info.
const answer = { code: 20000, message: 'OK', status: true, data: { totalBalance: '88.20' } }

describe('the balance of a SiliconFlow account', () => {
  it.each([
    { baseUrl: 'https://api.siliconflow.cn', dollars: 88.2 / 7 },
    { baseUrl: 'https://api.siliconflow.com', dollars: 88.2 },
  ])('is $dollars dollars at $baseUrl', ({ baseUrl, dollars }) => {
    expect(readBalance(answer, baseUrl, 7)).toBe(dollars)
  })

  it('is an error where the answer says so', () => {
    const refused = { code: 30000, message: 'no' }
    expect(() => readBalance(refused, 'https://api.siliconflow.cn', 7)).toThrow('no')
  })
})

// Source: docs.siliconflow.cn/cn/release-notes/overview, 10 March and April 2026.
it('does not offer what SiliconFlow withdrew', () => {
  const withdrawn = [
    'THUDM/glm-4-9b-chat',
    'Qwen/Qwen3-Next-80B-A3B-Instruct',
    'Qwen/Qwen3-235B-A22B',
  ]
  expect(siliconflow.models.filter((name) => withdrawn.includes(name))).toEqual([])
})
