import { readdirSync, readFileSync } from 'node:fs'
import { EventStreamCodec } from '@smithy/eventstream-codec'
import { fromUtf8, toUtf8 } from '@smithy/util-utf8'
import { describe, expect, it } from 'vitest'
import { processorTime } from '../../test/harness/clock.ts'
import type { SseEvent } from '../contract/dialect.ts'
import { eventSplitter } from './framing.ts'
import { NdjsonSplitter } from './ndjson.ts'
import { type EventSplitter, SseSplitter } from './sse.ts'

const fixtures = new URL('../../test/fixtures/dialects/', import.meta.url)
const streams = readdirSync(fixtures).filter((name) => name.endsWith('.sse'))

function split(
  bytes: Uint8Array,
  size: number,
  splitter: EventSplitter = new SseSplitter(),
): SseEvent[] {
  const events: SseEvent[] = []
  for (let at = 0; at < bytes.length; at += size) {
    events.push(...splitter.push(bytes.subarray(at, at + size)))
  }
  return [...events, ...splitter.end()]
}

const read = (text: string) => split(Buffer.from(text), 1_000_000)

describe('splitting server-sent events', () => {
  it.each(streams)(
    'gives the same events of %s whole, by bytes, and with other line ends',
    (name) => {
      const bytes = readFileSync(new URL(name, fixtures))
      const whole = split(bytes, bytes.length)
      for (const size of [1, 2, 3, 7, 64]) expect(split(bytes, size)).toEqual(whole)
      for (const end of ['\r\n', '\r']) {
        const other = Buffer.from(bytes.toString().replaceAll('\n', end))
        const expected = whole.map(({ event, data }) => ({ event, data }))
        for (const size of [1, 5, other.length]) {
          expect(split(other, size).map(({ event, data }) => ({ event, data }))).toEqual(expected)
        }
      }
    },
  )

  it('keeps every byte in raw', () => {
    const text = ': hello\r\n\r\nevent: a\ndata: 1\n\n\n\ndata: "é😀"\r\n\r\n'
    for (const size of [1, 2, 1000]) {
      expect(
        split(Buffer.from(text), size)
          .map((event) => event.raw)
          .join(''),
      ).toBe(text)
    }
  })

  it.each([
    ['several data lines', 'data: a\ndata: b\n\n', { event: undefined, data: 'a\nb' }],
    ['no space behind the colon', 'data:{"a":1}\n\n', { event: undefined, data: '{"a":1}' }],
    ['only one space is dropped', 'data:  a\n\n', { event: undefined, data: ' a' }],
    ['a byte order mark', '\uFEFFdata: a\n\n', { event: undefined, data: 'a' }],
    ['a name behind the data', 'data: a\nevent: b\n\n', { event: 'b', data: 'a' }],
    ['a name before the data', 'event: b\ndata: a\n\n', { event: 'b', data: 'a' }],
    ['a name, and more data', 'event: b\ndata: a\ndata: c\n\n', { event: 'b', data: 'a\nc' }],
    ['a name, and more fields', 'event: b\ndata: a\nid: 7\n\n', { event: 'b', data: 'a' }],
    ['a name without data', 'event: b\n\n', { event: 'b', data: '' }],
    ['a name with a colon', 'event: b:c\ndata: a\n\n', { event: 'b:c', data: 'a' }],
    ['a name before CR LF', 'event: b\r\ndata: a\r\n\r\n', { event: 'b', data: 'a' }],
    ['a name before mixed line ends', 'event: b\rdata: a\n\n', { event: 'b', data: 'a' }],
    ['a comment glued to an event', ': ping\ndata: a\n\n', { event: undefined, data: 'a' }],
    ['fields that nobody knows', 'id: 7\nretry: 3\ndata: a\n\n', { event: undefined, data: 'a' }],
    ['a comment alone', ': OPENROUTER PROCESSING\n\n', { event: undefined, data: '' }],
    ['a bare error object', '{"error":"x"}\n\n', { event: undefined, data: '{"error":"x"}' }],
  ])('reads %s', (_title, text, expected) => {
    expect(read(text)).toEqual([expect.objectContaining(expected)])
  })

  it('tells the events of a piece before it throws on what follows them', () => {
    const splitter = new SseSplitter(20)
    const seen: string[] = []
    const bytes = Buffer.from(`data: a\n\ndata: ${'b'.repeat(40)}`)
    expect(() => splitter.read(bytes, ({ data }) => seen.push(data))).toThrow(/more than 20/)
    expect(seen).toEqual(['a'])
  })

  it('closes a last event that lacks its empty line', () => {
    expect(read('data: {"a":1}')).toEqual([
      { event: undefined, data: '{"a":1}', raw: 'data: {"a":1}\n\n' },
    ])
  })

  it('joins a line of eight megabytes in time that grows with its length only', () => {
    const text = `data: ${'é'.repeat(4 * 1024 * 1024)}\n\n`
    const [event] = split(Buffer.from(text), 16_384)
    expect(event?.data).toHaveLength(4 * 1024 * 1024)
  })

  it('refuses an event above the limit', () => {
    const splitter = new SseSplitter(1000)
    const send = () => {
      for (let piece = 0; piece < 20; piece += 1) splitter.push(Buffer.from('data: '.repeat(20)))
    }
    expect(send).toThrow(/more than 1000 characters/)
  })

  it.each(['\n', '\r', '\r\n', '\n\r'])('reads empty lines without end (%j) once each', (end) => {
    const splitter = new SseSplitter()
    const piece = Buffer.from(end.repeat(65_536 / end.length))
    const elapsed = processorTime()
    for (let sent = 0; sent < 256; sent += 1) expect(splitter.push(piece)).toEqual([])
    expect(elapsed()).toBeLessThan(8_000)
    const [event] = splitter.push(Buffer.from('data: late\n\nx'))
    expect(event?.data).toBe('late')
  })

  it('puts a character for bytes that are no UTF-8', () => {
    expect(split(Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0x0a, 0x0a]), 1)[0]?.data).toBe(
      '\uFFFD',
    )
  })
})

describe('splitting lines of JSON', () => {
  it('gives one event a line, cut anywhere, the last one without its line end', () => {
    const bytes = Buffer.from('{"a":"é"}\r\n\n{"b":2}\n{"c":3}')
    for (const size of [1, 2, 100]) {
      const data = split(bytes, size, new NdjsonSplitter()).map((event) => event.data)
      expect(data).toEqual(['{"a":"é"}', '{"b":2}', '{"c":3}'])
    }
  })
})

describe('splitting an Amazon event stream', () => {
  const codec = new EventStreamCodec(toUtf8, fromUtf8)
  const frame = (headers: Record<string, string>, body: unknown) =>
    codec.encode({
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, { type: 'string' as const, value }]),
      ),
      body: fromUtf8(JSON.stringify(body)),
    })
  const inner = JSON.stringify({ type: 'message_stop' })
  const bytes = Buffer.concat([
    frame(
      { ':message-type': 'event', ':event-type': 'chunk' },
      { bytes: Buffer.from(inner).toString('base64') },
    ),
    frame({ ':message-type': 'event', ':event-type': 'metadata' }, { usage: 1 }),
    frame(
      { ':message-type': 'exception', ':exception-type': 'throttlingException' },
      { message: 'Too many' },
    ),
  ])

  it('unwraps the chunks and turns exceptions into errors, cut anywhere', () => {
    for (const size of [1, 13, bytes.length]) {
      const events = split(bytes, size, eventSplitter('aws-event-stream'))
      expect(events.map((event) => event.data)).toEqual([
        inner,
        '{"usage":1}',
        JSON.stringify({
          type: 'error',
          error: { type: 'throttlingException', message: 'Too many', http_status: 429 },
        }),
      ])
      expect(events[0]?.event).toBe('chunk')
    }
  })

  it('refuses a damaged frame', () => {
    const damaged = Buffer.from(bytes)
    damaged[20] = (damaged[20] ?? 0) ^ 0xff
    expect(() => split(damaged, damaged.length, eventSplitter('aws-event-stream'))).toThrow(
      /damaged frame/,
    )
  })
})
