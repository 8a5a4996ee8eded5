import { describe, expect, it } from 'vitest'
import type { ClientError } from '../../contract/dialect.ts'
import { readEvent, SseSplitter } from '../../wire/sse.ts'
import { codecs } from '../index.ts'
import { answerMeta } from '../../../test/harness/answer-meta.ts'

const error: ClientError = {
  status: 502,
  code: 'x',
  message: 'The upstream broke off. (request id: r)',
  openaiType: 'upstream_error',
  anthropicType: 'api_error',
  geminiStatus: 'UNAVAILABLE',
  param: null,
  requestId: 'r',
}

const meta = answerMeta({ createdSeconds: 1_767_225_600 })

const codec = codecs['openai-responses']

const begun = { id: 'resp_up', object: 'response', status: 'in_progress', model: 'gpt', output: [] }

function passed(response: object = begun, ...before: string[]): string {
  const filter = codec.passFilter(meta)
  const parser = codec.streamParser()
  const created = { type: 'response.created', sequence_number: 0, response }
  const raw = `event: response.created\ndata: ${JSON.stringify(created)}\n\n`
  for (const event of [...before, raw].map(readEvent)) filter(event, parser.push(event))
  return filter.error?.(error, raw) ?? ''
}

function converted(failure = error): string {
  const writer = codec.streamWriter(meta)
  const text = writer.write({ type: 'text', delta: 'Half' })
  return text + writer.error(failure)
}

function eventsOf(text: string): Record<string, unknown>[] {
  const events = [...new SseSplitter().push(Buffer.from(text))]
  return events.map(({ data }) => JSON.parse(data) as Record<string, unknown>)
}

describe.each([
  ['after a converted answer', () => converted()],
  ['after an answer as it came', () => passed()],
  ['before any event', () => codec.streamError(error)],
])('a failure within a stream, %s', (_, written) => {
  it('is an error with the fields of the reference and those that SDKs throw', () => {
    const last = eventsOf(written()).at(-2)
    const { message, code, param } = error
    expect(last).toMatchObject({ type: 'error', message, code, param })
    const nested = { ...(codec.writeError(error)['error'] as object), type: 'server_error' }
    expect(last).toMatchObject({ error: nested })
    expect(last?.['sequence_number']).toBeTypeOf('number')
  })

  it('closes the response, as OpenAI does, for clients that know no other end', () => {
    const [before, last] = eventsOf(written()).slice(-2)
    const { message, code } = error
    expect(last).toMatchObject({
      type: 'response.failed',
      sequence_number: Number(before?.['sequence_number']) + 1,
      response: { object: 'response', status: 'failed', error: { code, message }, usage: null },
    })
  })
})

it('closes the response that was announced', () => {
  const announced = eventsOf(converted())[0]?.['response'] as { id: string }
  expect(eventsOf(converted()).at(-1)).toMatchObject({ response: { id: announced.id } })
  expect(eventsOf(passed()).at(-1)).toMatchObject({ response: { id: begun.id, model: 'gpt' } })
})

// OpenRouter begins with comments, and others with events that only keep the connection open.
it.each([': PROCESSING\n\n', 'event: keepalive\ndata: {"type":"keepalive"}\n\n'])(
  'closes the response that was announced behind %j',
  (before) => {
    expect(eventsOf(passed(begun, before)).at(-1)).toMatchObject({ response: { id: begun.id } })
  },
)

it('repeats no long instructions, which would stay in memory with the open stream', () => {
  const response = { ...begun, created_at: 5, instructions: 'Long. '.repeat(1_000) }
  const { instructions: _, ...rest } = response
  const last = eventsOf(passed(response)).at(-1)
  expect(last).toMatchObject({ response: { ...rest, status: 'failed' } })
  expect(last?.['response']).not.toHaveProperty('instructions')
})

it.each(['', 'Long. '.repeat(1_000)])(
  'closes no response in the background, which goes on without its stream (%#)',
  (instructions) => {
    const types = eventsOf(passed({ ...begun, background: true, instructions }))
    expect(types).toMatchObject([{ type: 'error' }])
  },
)

it('closes a response whose tools speak of a background', () => {
  const tools = [{ name: 'x'.repeat(5_000), parameters: { default: { background: true } } }]
  const last = eventsOf(passed({ ...begun, background: false, tools })).at(-1)
  expect(last).toMatchObject({ response: { id: begun.id, background: false } })
})

it('gives a failure without a code that of a server that failed', () => {
  const { response } = eventsOf(converted({ ...error, code: null })).at(-1) ?? {}
  expect(response).toMatchObject({ error: { code: 'server_error' } })
})
