import { describe, expect, it } from 'vitest'
import { fillUsage } from './fill-usage.ts'
import { noUsage } from '../../dialects/neutral/usage.ts'

const usage = { ...noUsage, input: 7 }

describe('the usage of a plain answer', () => {
  it('is what is billed where the upstream told none', () => {
    expect(fillUsage({ operation: 'embeddings' }, { data: [] }, usage)).toEqual({
      data: [],
      usage: { prompt_tokens: 7, total_tokens: 7 },
    })
  })

  it('has three counts in a rerank answer that told only a total', () => {
    const answer = { results: [], usage: { total_tokens: 7 } }
    expect(fillUsage({ operation: 'rerank' }, answer, usage)).toEqual({
      results: [],
      usage: { prompt_tokens: 7, completion_tokens: 0, total_tokens: 7 },
    })
  })

  it.each([
    { operation: 'embeddings' as const, answer: { usage: { prompt_tokens: 3, total_tokens: 3 } } },
    { operation: 'moderations' as const, answer: { results: [] } },
  ])('of $operation stays as it came', ({ operation, answer }) => {
    expect(fillUsage({ operation }, answer, usage)).toBe(answer)
  })
})
