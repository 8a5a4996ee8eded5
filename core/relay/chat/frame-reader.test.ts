import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ChatDialect, SseEvent } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import { codecs } from '../../dialects/index.ts'
import { SseSplitter } from '../../wire/sse.ts'
import { UsageTally } from '../charge/usage-tally.ts'
import { FrameReader, FrameRun } from './frame-reader.ts'
import { convertPipeline, passPipeline, type StreamPipeline } from './stream-pipeline.ts'
import { answerMeta } from '../../../test/harness/answer-meta.ts'

const data = (value: unknown, end = '\n\n') => `data: ${JSON.stringify(value)}${end}`
const named = (type: string, value: object, spaces = '') =>
  `event: ${type}\n${data({ type, ...value }).replace(/\}\n\n$/, `${spaces}}\n\n`)}`

/** What may differ between two events of one frame, and what makes another frame of it. */
interface Step {
  text: string
  kind: 'text' | 'reasoning' | 'other id' | 'other field' | 'ping' | 'second choice'
  number: number
}

/** A stream of each dialect as its provider sends it, padded and numbered. */
const writers: Record<ChatDialect, (steps: readonly Step[]) => string[]> = {
  'openai-chat': (steps) => [
    ...steps.map(({ text, kind, number }) => {
      if (kind === 'ping') return ': ping\n\n'
      const delta = kind === 'reasoning' ? { reasoning_content: text } : { content: text }
      const index = kind === 'second choice' ? 1 : 0
      return data({
        id: kind === 'other id' ? 'b' : 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'm',
        choices: [{ index, delta, logprobs: null, finish_reason: null }],
        ...(kind === 'other field' ? { usage: { prompt_tokens: number } } : { usage: null }),
        obfuscation: 'x'.repeat(number),
      })
    }),
    data({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
    }),
    data({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      choices: [],
      usage: { prompt_tokens: 3, completion_tokens: 4 },
    }),
    'data: [DONE]\n\n',
  ],
  'openai-responses': (steps) => [
    named('response.created', { response: { id: 'r', model: 'm' } }),
    ...steps.map(({ text, kind, number }) =>
      kind === 'ping'
        ? ': ping\n\n'
        : named(
            kind === 'reasoning' ? 'response.reasoning_text.delta' : 'response.output_text.delta',
            {
              sequence_number: number,
              item_id: kind === 'other id' ? 'n' : 'm',
              output_index: kind === 'second choice' ? 1 : 0,
              delta: text,
              ...(kind === 'other field' ? { logprobs: [{ token: 'a', logprob: number }] } : {}),
              obfuscation: 'x'.repeat(number),
            },
          ),
    ),
    named('response.completed', {
      response: {
        id: 'r',
        status: 'completed',
        output: [],
        usage: { input_tokens: 3, output_tokens: 4 },
      },
    }),
  ],
  'anthropic-messages': (steps) => [
    named('message_start', {
      message: { id: 'a', model: 'm', usage: { input_tokens: 3, output_tokens: 1 } },
    }),
    named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ...steps.map(({ text, kind, number }) =>
      kind === 'ping'
        ? named('ping', {})
        : named(
            'content_block_delta',
            {
              index: kind === 'second choice' ? 1 : 0,
              delta:
                kind === 'reasoning'
                  ? { type: 'thinking_delta', thinking: text }
                  : { type: 'text_delta', text },
              ...(kind === 'other field' ? { number } : {}),
            },
            ' '.repeat(number),
          ),
    ),
    named('content_block_stop', { index: 0 }),
    named('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } }),
    named('message_stop', {}),
  ],
  gemini: (steps) => {
    const chunk = ({ text, kind, number }: Step, more: object = {}) =>
      data(
        {
          candidates: [
            {
              content: {
                parts: [{ text, ...(kind === 'reasoning' ? { thought: true } : {}) }],
                role: 'model',
              },
              index: kind === 'second choice' ? 1 : 0,
              ...(kind === 'other field' ? { avgLogprobs: -0.1 * number } : {}),
              ...more,
            },
          ],
          usageMetadata: {
            promptTokenCount: 3,
            candidatesTokenCount: number,
            totalTokenCount: 3 + number,
            promptTokensDetails: [{ modality: 'TEXT', tokenCount: 3 }],
          },
          responseId: kind === 'other id' ? 'h' : 'g',
        },
        '\r\n\r\n',
      )
    const last: Step = { text: 'end', kind: 'text', number: 99 }
    const both = [
      chunk(last, { finishReason: 'STOP' }),
      chunk({ ...last, kind: 'second choice' }, { finishReason: 'STOP' }),
    ]
    return [...steps.map((step) => (step.kind === 'ping' ? '\r\n' : chunk(step))), ...both]
  },
}

const kinds = [
  'text',
  'text',
  'text',
  'text',
  'reasoning',
  'other id',
  'other field',
  'ping',
  'second choice',
] as const
const words = fc.oneof(
  fc.constantFrom(
    ' word',
    ' the',
    'Hel',
    'lo',
    'x',
    '你好',
    'm',
    '0',
    ' "quoted"',
    'a\nb',
    '\\',
    '',
    '"obfuscation":"y"',
    '\u2028',
    '😀',
  ),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
)
const steps = fc.array(
  fc.record({ text: words, kind: fc.constantFrom(...kinds), number: fc.nat({ max: 20 }) }),
  { maxLength: 24 },
)
const dialects = Object.keys(writers) as ChatDialect[]

const meta = answerMeta()

/** Everything that a stream became, with frames or without; a text in pieces is told as one. */
function outcome(
  make: () => StreamPipeline,
  bytes: Buffer,
  cuts: readonly number[],
  skims: boolean,
) {
  const pipeline = make()
  const splitter = new SseSplitter()
  let text = ''
  const events: ChatEvent[] = []
  const tally = new UsageTally('m', () => 1)
  let runs = 0
  let broken = ''
  const take = (event: SseEvent) => {
    if (event instanceof FrameRun) runs += event.deltas.length
    const translated = pipeline.push(event)
    text += translated.text
    for (const event of translated.events) {
      add(events, event)
      tally.see(event)
    }
    if (translated.usage) tally.seeLater(translated.usage)
  }
  const ends = [...new Set([...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
    (a, b) => a - b,
  )
  let start = 0
  for (const end of ends) {
    splitter.read(bytes.subarray(start, end), take, skims ? pipeline.skim : undefined)
    start = end
  }
  for (const event of splitter.end()) {
    try {
      take(event)
    } catch (error) {
      broken = String(error)
    }
  }
  const last = pipeline.end(() => undefined)
  for (const event of last.events) {
    add(events, event)
    tally.see(event)
  }
  return {
    text: text + last.text,
    events,
    broken,
    usage: tally.reported,
    finish: tally.finish,
    isComplete: pipeline.isComplete,
    runs,
  }
}

function add(events: ChatEvent[], event: ChatEvent): void {
  const last = events.at(-1)
  const isSame =
    (event.type === 'text' || event.type === 'reasoning') &&
    last?.type === event.type &&
    last.choice === event.choice &&
    !('logprobs' in last) &&
    !('logprobs' in event)
  if (isSame) events[events.length - 1] = { ...last, delta: last.delta + event.delta }
  else if (event.type !== 'usage') events.push({ choice: undefined, ...event } as ChatEvent)
}

/** Where the bytes are cut, and how many of a thousand of them come at all. */
const arrival = fc.record({
  cuts: fc.array(fc.nat({ max: 20_000 }), { maxLength: 12 }),
  share: fc.oneof(fc.constant(1000), fc.nat({ max: 1000 })),
})

function arriving(events: readonly string[], share: number): Buffer {
  const bytes = Buffer.from(events.join(''))
  return bytes.subarray(0, Math.ceil((bytes.length * share) / 1000))
}

describe('reading events by their frame', () => {
  // Writers tell the time.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  it.each(dialects)('passes the %s dialect on as parsing does', (dialect) => {
    fc.assert(
      fc.property(steps, arrival, (given, { cuts, share }) => {
        const bytes = arriving(writers[dialect](given), share)
        const make = () => passPipeline(codecs[dialect], meta, {})
        const { runs: _skimmed, ...skimmed } = outcome(make, bytes, cuts, true)
        const { runs: _parsed, ...parsed } = outcome(make, bytes, cuts, false)
        expect(skimmed).toEqual(parsed)
      }),
      { numRuns: 300 },
    )
  })

  it.each(
    dialects.flatMap((from) =>
      dialects.filter((to) => to !== from).map((to) => [from, to] as const),
    ),
  )('converts %s to %s as parsing does', (from, to) => {
    fc.assert(
      fc.property(steps, arrival, (given, { cuts, share }) => {
        const bytes = arriving(writers[from](given), share)
        const make = () =>
          convertPipeline(codecs[from].streamParser(), codecs[to], meta, { isOfDialect: true })
        const { runs: _skimmed, ...skimmed } = outcome(make, bytes, cuts, true)
        const { runs: _parsed, ...parsed } = outcome(make, bytes, cuts, false)
        expect(skimmed).toEqual(parsed)
      }),
      { numRuns: 60 },
    )
  })

  it.each(dialects)('reads nearly all of a stream of the %s dialect so', (dialect) => {
    const given = Array.from(
      { length: 50 },
      (_, number): Step => ({ text: ` word${number}`, kind: 'text', number }),
    )
    const bytes = Buffer.from(writers[dialect](given).join(''))
    const { runs } = outcome(() => passPipeline(codecs[dialect], meta, {}), bytes, [], true)
    expect(runs).toBeGreaterThan(45)
  })
})

const chunk = (content: string, more: object = {}): SseEvent => {
  const text = JSON.stringify({
    id: 'chatcmpl-1',
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
    ...more,
  })
  return { event: undefined, data: text, raw: `data: ${text}\n\n` }
}

function taught(event: SseEvent, delta: string): FrameReader {
  const reader = new FrameReader()
  reader.learn(event, [{ type: 'text', delta }])
  return reader
}

describe('the frame of an event', () => {
  const reader = taught(chunk('Hel'), 'Hel')

  it('is recognised with another text, as often as it comes', () => {
    const text = chunk('lo').raw + chunk(' you').raw + chunk('!', { id: 'other' }).raw
    const run = reader.skim(text, 0) as FrameRun
    expect(run.deltas).toEqual(['lo', ' you'])
    expect(run.raw).toBe(chunk('lo').raw + chunk(' you').raw)
    expect(reader.skim(text, run.raw.length)).toBeUndefined()
  })

  it.each([
    [
      'a finish reason',
      chunk('lo', { choices: [{ index: 0, delta: { content: 'lo' }, finish_reason: 'stop' }] }).raw,
    ],
    ['usage', chunk('lo', { usage: { prompt_tokens: 1 } }).raw],
    ['another id', chunk('lo', { id: 'chatcmpl-2' }).raw],
    ['an error', chunk('lo', { error: { message: 'no' } }).raw],
    ['a text with a quote', chunk('say "hi"').raw],
    ['an escaped text', chunk('a\nb').raw],
    ['what JSON does not allow', chunk('a b').raw.replace('a b', 'a\tb')],
    ['no text', chunk('').raw],
    ['no end', chunk('lo').raw.slice(0, -1)],
  ])('is left to the parser with %s', (_what, raw) => {
    expect(reader.skim(raw, 0)).toBeUndefined()
  })

  it('gives a text that does not keep the bytes that it came in', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const long = chunk('a text that is longer than any that is copied anyway').raw
    const texts: ChatEvent[] = []
    collect()
    const before = process.memoryUsage().heapUsed
    for (let count = 0; count < 200; count += 1) {
      const run = reader.skim(Buffer.from(long + ' '.repeat(100_000)).toString(), 0)
      texts.push((run as FrameRun).whole())
    }
    collect()
    expect(texts).toHaveLength(200)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000)
  })

  it('is not learned where the text stands twice', () => {
    const event = chunk('m', { model: 'm' })
    expect(taught(event, 'm').skim(event.raw, 0)).toBeUndefined()
  })

  it('has digits that are no number left to the parser', () => {
    const numbered = taught(chunk('Hel', { sequence_number: 1 }), 'Hel')
    const next = chunk('lo', { sequence_number: 27 }).raw
    expect(numbered.skim(next, 0)).toMatchObject({ deltas: ['lo'] })
    expect(numbered.skim(next.replace('27', '027'), 0)).toBeUndefined()
  })
})
