import { describe, expect, it } from 'vitest'
import type { ChatDialect } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import { documentCitation, urlCitation } from './citations.ts'
import { codecs } from '../index.ts'
import { answerMeta } from '../../../test/harness/answer-meta.ts'

const text = (data: string) => ({ type: 'text', media_type: 'text/plain', data })
const page = urlCitation({ url: 'https://example.com/', title: 'T', start: 0, end: 2 })
const events: ChatEvent[] = [
  { type: 'start' },
  { type: 'text', delta: 'So.' },
  {
    type: 'citation',
    citation: documentCitation({ index: 3, text: 'words', start: 2, end: 7 }),
  },
  { type: 'citation', citation: page },
  { type: 'finish', reason: 'stop' },
]
const meta = answerMeta({ includeUsage: false })

function wireOf(dialect: ChatDialect): string {
  const writer = codecs[dialect].streamWriter(meta)
  return events.map((event) => writer.write(event)).join('') + writer.end()
}

describe('documents that an Anthropic client wants cited', () => {
  it('are marked with their number among all documents, wherever they stand', () => {
    const request = codecs['anthropic-messages'].parseRequest(
      {
        model: 'm',
        messages: [
          {
            role: 'user',
            content: [
              { type: 'document', source: text('a') },
              {
                type: 'document',
                source: { type: 'content', content: 'b' },
                citations: { enabled: true },
              },
              { type: 'document', source: text('c'), citations: { enabled: true } },
            ],
          },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 't',
                content: [{ type: 'document', source: text('d'), citations: { enabled: false } }],
              },
              { type: 'document', source: text('e'), citations: { enabled: true } },
            ],
          },
        ],
      },
      {},
    )
    const files = request.turns.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.kind === 'file' ? [part.cited?.index] : [])),
    )
    expect(files).toEqual([undefined, 2, 4])
  })
})

describe('a citation', () => {
  it('of a document is a place in it to an Anthropic client', () => {
    const place = {
      type: 'char_location',
      document_index: 3,
      start_char_index: 2,
      cited_text: 'words',
    }
    const answer = codecs['anthropic-messages'].writeAnswer(events, meta)
    expect(answer.content).toEqual([
      { type: 'text', text: 'So.', citations: [expect.objectContaining(place), expect.anything()] },
    ])
    expect(wireOf('anthropic-messages')).toContain('"type":"citations_delta"')
  })

  it.each([
    { type: 'char_location', start_char_index: 0, end_char_index: 5 },
    { type: 'page_location', start_page_number: 2, end_page_number: 3 },
    { type: 'content_block_location', start_block_index: 0, end_block_index: 1 },
  ])('of a document keeps its place where Claude’s answer is written anew: $type', (place) => {
    const cited = { cited_text: 'words', document_index: 1, document_title: 'T', file_id: null }
    const citations = [{ ...cited, ...place }]
    const anthropic = codecs['anthropic-messages']
    const answer = anthropic.parseAnswer({ content: [{ type: 'text', text: 'So.', citations }] })
    expect(anthropic.writeAnswer(answer, meta).content).toEqual([
      { type: 'text', text: 'So.', citations },
    ])
    for (const dialect of ['openai-chat', 'openai-responses', 'gemini'] as const)
      expect(JSON.stringify(codecs[dialect].writeAnswer(answer, meta))).not.toContain('words')
  })

  it.each([
    { type: 'page_location', document_index: 0, start_page_number: '2', end_page_number: 3 },
    { type: 'page_location', start_page_number: 2, end_page_number: 3 },
    { type: 'toString', url: 7 },
    null,
  ])('that tells no place is left out: %j', (citation) => {
    const content = [{ type: 'text', text: 'So.', citations: [citation] }]
    const answer = codecs['anthropic-messages'].parseAnswer({ content })
    expect(answer.filter(({ type }) => type === 'citation')).toEqual([])
  })

  it.each<ChatDialect>(['openai-chat', 'openai-responses', 'gemini'])(
    'of a page alone is told in %s',
    (dialect) => {
      const whole = JSON.stringify(codecs[dialect].writeAnswer(events, meta))
      for (const answer of [whole, wireOf(dialect)]) {
        expect(answer).toContain('https://example.com/')
        expect(answer).not.toContain('document_citation')
      }
    },
  )
})
