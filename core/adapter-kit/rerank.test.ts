import { describe, expect, it } from 'vitest'
import { documentTexts, rerankAnswer } from './rerank.ts'

const asked = { documents: ['aa', { text: 'bb' }], return_documents: true }

describe('the answer of a reranker', () => {
  it.each([
    { name: 'a plain string', document: 'bb' },
    { name: 'an object', document: { text: 'bb' } },
    { name: 'nothing', document: undefined },
  ])('gives the document as an object when the upstream sent $name', ({ document }) => {
    const results = [{ index: 1, relevance_score: 0.5, document }]
    expect(rerankAnswer({ results }, asked)).toEqual({
      results: [{ index: 1, relevance_score: 0.5, document: { text: 'bb' } }],
    })
  })

  it('leaves documents out when the client did not ask', () => {
    const results = [{ index: 0, relevance_score: 0.5, document: 'aa' }]
    expect(rerankAnswer({ results, inputTokens: 9 }, { documents: ['aa'] })).toEqual({
      results: [{ index: 0, relevance_score: 0.5 }],
      usage: { prompt_tokens: 9, completion_tokens: 0, total_tokens: 9 },
    })
  })

  it('turns documents into texts', () => {
    expect(documentTexts(['a', { text: 'b' }, { title: 'c' }])).toEqual(['a', 'b', '{"title":"c"}'])
  })
})
