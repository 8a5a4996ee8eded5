import { describe, expect, it } from 'vitest'
import type { ChatRequest } from '#core'
import { citationReader } from './citations.ts'

function requestWith(text: string): ChatRequest {
  const parts: ChatRequest['turns'][number]['parts'] = [
    { kind: 'file', source: { type: 'text', text }, cited: { index: 0 } },
    { kind: 'text', text: 'What does it say?' },
  ]
  return { tools: [], turns: [{ role: 'user', parts }] } as unknown as ChatRequest
}

describe('a citation of a document of the request', () => {
  const citation = { text: 'needle', sources: [{ type: 'document', id: 'doc_0' }] }

  it.each([
    { length: 50, place: { start: 50, end: 56, text: 'needle' } },
    // Searching long documents once for each citation would be work without a bound.
    { length: 100_000, place: { start: 0, end: 100_006, text: '.'.repeat(200) } },
  ])('stands behind $length characters at $place.start', ({ length, place }) => {
    const read = citationReader(requestWith(`${'.'.repeat(length)}needle`))
    expect(read(citation)).toEqual([
      {
        type: 'citation',
        citation: { type: 'document_citation', document_citation: { index: 0, ...place } },
      },
    ])
  })
})
