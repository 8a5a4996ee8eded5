// Citations of an answer, from every dialect that has them to every other, whole and streamed.
import { describe, expect, it } from 'vitest'
import type { AnswerHints, ChatDialect, SseEvent } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { convertPipeline } from './stream-pipeline.ts'
import { SseSplitter } from '../../wire/sse.ts'
import { codecs } from '../../dialects/index.ts'
import { answerMeta } from '../../../test/harness/answer-meta.ts'

const url = 'https://news.example/'
/** Before the place stand 7 characters, which are 8 units of JavaScript and 12 bytes. */
const head = '😀ain ☔ '
const claim = 'It will rain.'
const answer = `${head}${claim} Bye.`
const start = Array.from(head).length
const end = start + claim.length
const bytes = Buffer.byteLength(head)

const location = {
  type: 'web_search_result_location',
  url,
  title: 'News',
  cited_text: 'rain',
  encrypted_index: 'sealed',
}
const grounding = {
  webSearchQueries: ['rain?'],
  groundingChunks: [
    { web: { uri: 'https://other.example/' } },
    { web: { uri: url, title: 'News' } },
  ],
  groundingSupports: [
    {
      segment: { startIndex: bytes, endIndex: bytes + claim.length, text: claim },
      groundingChunkIndices: [1],
    },
  ],
}
const annotation = { type: 'url_citation', url, title: 'News', start_index: start, end_index: end }
const { type: _type, ...nested } = annotation

const whole: Record<ChatDialect, JsonObject> = {
  'anthropic-messages': {
    type: 'message',
    content: [
      { type: 'text', text: head },
      { type: 'text', text: claim, citations: [location] },
      { type: 'text', text: ' Bye.' },
    ],
    stop_reason: 'end_turn',
  },
  gemini: {
    candidates: [
      {
        content: { parts: [{ text: head }, { text: `${claim} Bye.` }] },
        finishReason: 'STOP',
        groundingMetadata: grounding,
      },
    ],
  },
  'openai-chat': {
    choices: [
      {
        message: {
          content: answer,
          annotations: [{ type: 'url_citation', url_citation: nested }],
        },
        finish_reason: 'stop',
      },
    ],
  },
  'openai-responses': {
    status: 'completed',
    output: [
      {
        type: 'message',
        content: [{ type: 'output_text', text: answer, annotations: [annotation] }],
      },
    ],
  },
}

const block = (index: number, text: string, more: JsonObject[] = []): JsonObject[] => [
  { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
  ...more.map((delta) => ({ type: 'content_block_delta', index, delta })),
  ...text.split(/(?<= )/).map((piece) => ({
    type: 'content_block_delta',
    index,
    delta: { type: 'text_delta', text: piece },
  })),
  { type: 'content_block_stop', index },
]
const chunk = (text: string, more: JsonObject = {}) => ({
  candidates: [{ content: { parts: [{ text }] }, ...more }],
})

const streamed: Partial<Record<ChatDialect, JsonObject[]>> = {
  'anthropic-messages': [
    { type: 'message_start', message: {} },
    ...block(0, head),
    ...block(1, claim, [{ type: 'citations_delta', citation: location }]),
    ...block(2, ' Bye.'),
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ],
  gemini: [
    ...`${head}${claim} Bye.`.split(/(?<= )/).map((text) => chunk(text)),
    chunk('', { finishReason: 'STOP', groundingMetadata: grounding }),
  ],
}

const meta = answerMeta({
  includeUsage: false,
  request: {
    model: 'm',
    system: [],
    turns: [],
    tools: [],
    hostedTools: [],
    webSearch: {},
    stream: true,
    includeUsage: false,
  },
})
const hints: AnswerHints = { cites: true }

/** What goes out for a stream of these events, through the pipeline of the relay. */
function converted(from: ChatDialect, to: ChatDialect, events: readonly JsonObject[]): string {
  const pipeline = convertPipeline(codecs[from].streamParser(hints), codecs[to], meta, {
    hints,
    isOfDialect: true,
  })
  const wire = events.map((data) => `data: ${JSON.stringify(data)}\n\n`).join('')
  let text = ''
  const take = (event: SseEvent) => {
    text += pipeline.push(event).text
  }
  new SseSplitter().read(Buffer.from(wire), take, pipeline.skim)
  return text + pipeline.end(() => undefined).text
}

/** All objects in a text of events or in an object. */
function objectsIn(value: unknown): JsonObject[] {
  if (typeof value === 'string') {
    const lines = value.split('\n').filter((line) => line.startsWith('data: {'))
    return lines.flatMap((line) => objectsIn(JSON.parse(line.slice(6))))
  }
  if (Array.isArray(value)) return value.flatMap(objectsIn)
  return isObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : []
}

const expected: Record<ChatDialect, JsonObject> = {
  'openai-chat': { url, title: 'News', start_index: start, end_index: end },
  'openai-responses': annotation,
  'anthropic-messages': { type: 'web_search_result_location', url, title: 'News' },
  gemini: {
    segment: { startIndex: bytes, endIndex: bytes + claim.length, text: claim },
    groundingChunkIndices: [expect.any(Number)],
  },
}

describe.each(Object.keys(codecs) as ChatDialect[])('a page that %s rests on', (from) => {
  it.each(Object.keys(codecs) as ChatDialect[])('is told with its place in %s', (to) => {
    const events = codecs[from].parseAnswer(whole[from], hints)
    expect(objectsIn(codecs[to].writeAnswer(events, meta))).toContainEqual(
      expect.objectContaining(expected[to]),
    )
    const stream = streamed[from]
    if (stream === undefined) return
    expect(objectsIn(converted(from, to, stream))).toContainEqual(
      expect.objectContaining(expected[to]),
    )
  })
})

// OpenAI's SDK for JavaScript keeps the last list of a stream, the one for Python fails on a second.
it('tells all pages of a chat stream in one delta, before its end', () => {
  const other = { ...location, url: 'https://other.example/' }
  const wire = converted('anthropic-messages', 'openai-chat', [
    { type: 'message_start', message: {} },
    ...block(0, claim, [{ type: 'citations_delta', citation: location }]),
    ...block(1, ' Bye.', [{ type: 'citations_delta', citation: other }]),
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ])
  const deltas = objectsIn(wire).filter(({ annotations }) => annotations !== undefined)
  expect(deltas).toMatchObject([
    { annotations: [{ url_citation: { url } }, { url_citation: { url: other.url } }] },
  ])
  expect(wire.indexOf('"annotations"')).toBeLessThan(wire.indexOf('"finish_reason":"stop"'))
})

describe('the pages of several texts', () => {
  const call = { functionCall: { name: 'look', args: {} } }
  const grounded = { groundingMetadata: grounding, finishReason: 'STOP' }

  it('are told with the text that rests on them to a client of Anthropic', () => {
    const parts = [{ text: head + claim, thoughtSignature: 's' }, call, { text: ' Bye.' }]
    const { groundingChunks, ...rest } = grounding
    const only = { ...rest, groundingChunks: [groundingChunks[1]] }
    only.groundingSupports = [
      { ...grounding.groundingSupports[0], groundingChunkIndices: [0] },
    ] as never
    const candidates = [{ content: { parts }, groundingMetadata: only, finishReason: 'STOP' }]
    const events = codecs.gemini.parseAnswer({ candidates }, hints)
    const { content } = codecs['anthropic-messages'].writeAnswer(events, meta)
    expect(content).toEqual([
      { type: 'text', text: head + claim, citations: [expect.objectContaining({ url })] },
      expect.objectContaining({ type: 'tool_use' }),
      { type: 'text', text: ' Bye.' },
    ])
  })

  it.each(['anthropic-messages', 'openai-responses'] as const)(
    'are named as dropped where they come behind a text that is closed: %s',
    (to) => {
      const dropped: string[] = []
      const drop = (field: string) => void dropped.push(field)
      const events = codecs.gemini.parseAnswer(
        { candidates: [{ content: { parts: [{ text: head + claim }, call] }, ...grounded }] },
        hints,
      )
      const writer = codecs[to].streamWriter({ ...meta, drop })
      const wire = events.map((event) => writer.write(event)).join('') + writer.end()
      expect(wire).not.toContain(url)
      expect(dropped).toContain('citations')
    },
  )
})

describe('a page of another provider', () => {
  it('is not shown to Claude when its client hands it back', () => {
    const events = codecs['openai-chat'].parseAnswer(whole['openai-chat'])
    const { content } = codecs['anthropic-messages'].writeAnswer(events, meta)
    const body = { messages: [{ role: 'assistant', content }] }
    const mended = codecs['anthropic-messages'].mendHistory(body, 'claude-sonnet-4-5')
    expect(JSON.stringify(mended)).not.toContain(url)
    const sealed = {
      messages: [{ role: 'assistant', content: whole['anthropic-messages']['content'] }],
    }
    expect(codecs['anthropic-messages'].mendHistory(sealed, 'claude-sonnet-4-5')).toBe(sealed)
  })
})

describe('a place in a document', () => {
  it('comes back to an Anthropic client as Claude told it', () => {
    const place = {
      type: 'char_location',
      document_index: 2,
      document_title: 'Lease',
      cited_text: 'the rent',
      start_char_index: 4,
      end_char_index: 12,
      file_id: null,
    }
    const events: ChatEvent[] = codecs['anthropic-messages'].parseAnswer({
      content: [{ type: 'text', text: 'So.', citations: [place] }],
      stop_reason: 'end_turn',
    })
    expect(codecs['anthropic-messages'].writeAnswer(events, meta)).toMatchObject({
      content: [{ text: 'So.', citations: [place] }],
    })
  })
})
