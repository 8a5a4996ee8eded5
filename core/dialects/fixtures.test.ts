// Every recorded exchange of test/fixtures/dialects, read in its own dialect and written in all four.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ChatDialect, DialectCodec } from '../contract/dialect.ts'
import type { ChatEvent, ChatRequest, Part } from '../contract/neutral.ts'
import type { JsonObject } from '../contract/json.ts'
import { classifyFailure } from '../upstream-failures/classify-failure.ts'
import { clientErrorOf } from '../upstream-failures/client-error.ts'
import { aggregateAnswer } from './neutral/aggregate-answer.ts'
import { codecs } from './index.ts'
import { SseSplitter } from '../wire/sse.ts'
import { answerMeta } from '../../test/harness/answer-meta.ts'

interface Row {
  file: string
  dialect: ChatDialect
  kind: string
  path: string
  scenario?: string
  status?: number
}

const folder = new URL('../../test/fixtures/dialects/', import.meta.url)
const readText = (file: string) => readFileSync(new URL(file, folder), 'utf8')
const readJson = (file: string) => JSON.parse(readText(file)) as JsonObject
const index = readJson('index.json') as unknown as {
  expected: {
    cut: string
    text: string
    tool_text: string
    tools: { name: string; args: JsonObject }[]
    final: string
    vision: string
    reasoning: string
    reasoning_answer: string
    json: string
    usage: Record<string, { in: number; out: number; cached?: number; think?: number }>
  }
  files: Row[]
}
const { expected, files } = index
const rowsOf = (...kinds: string[]) => files.filter((row) => kinds.includes(row.kind))
const dialects = Object.keys(codecs) as ChatDialect[]

const MODELS: Record<ChatDialect, string> = {
  'openai-chat': 'gpt-4.1-mini',
  'openai-responses': 'gpt-4.1-mini',
  'anthropic-messages': 'claude-haiku-4-5',
  gemini: 'gemini-2.5-flash',
}

const meta = answerMeta({ requestedModel: 'shown', createdSeconds: 1_767_225_600 })

const CHAT_WORDS: Record<
  string,
  { text: string; usage: string; calls?: boolean; thinks?: boolean }
> = {
  text: { text: expected.text, usage: 'text' },
  tool: { text: expected.tool_text, usage: 'tool', calls: true },
  'tool-result': { text: expected.final, usage: 'final' },
  vision: { text: expected.vision, usage: 'vision' },
  'json-schema': { text: expected.json, usage: 'json' },
  reasoning: { text: expected.reasoning_answer, usage: 'reason', thinks: true },
}

/** What an answer says, whatever its dialect. */
function gist(events: readonly ChatEvent[]) {
  const answer = aggregateAnswer(events)
  const parts = answer.choices[0]?.parts ?? []
  const join = (kind: 'text' | 'reasoning') =>
    parts.map((part) => (part.kind === kind ? part.text : '')).join('')
  return {
    text: join('text'),
    reasoning: join('reasoning'),
    calls: parts.flatMap((part) =>
      part.kind === 'tool_call'
        ? [{ name: part.name, args: JSON.parse(part.arguments) as unknown }]
        : [],
    ),
    finish: answer.choices[0]?.finish?.reason,
    usage: answer.usage && [
      answer.usage.input,
      answer.usage.cacheRead,
      answer.usage.output,
      answer.usage.reasoning,
    ],
  }
}

function expectedGist(scenario: string) {
  const words = CHAT_WORDS[scenario.replace(/-stream$/, '')]
  if (words === undefined) return undefined
  const usage = expected.usage[words.usage]
  return {
    text: words.text,
    reasoning: words.thinks ? expected.reasoning : '',
    calls: words.calls ? expected.tools : [],
    finish: words.calls ? 'tool_calls' : 'stop',
    usage: usage && [usage.in, usage.cached ?? 0, usage.out, usage.think ?? 0],
  }
}

function parseStream(codec: DialectCodec, text: string) {
  const splitter = new SseSplitter()
  const parser = codec.streamParser()
  const filter = codec.passFilter(meta)
  const events: ChatEvent[] = []
  let passed = ''
  for (const event of [...splitter.push(Buffer.from(text)), ...splitter.end()]) {
    const parsed = parser.push(event)
    events.push(...parsed)
    passed += filter(event, parsed) ?? ''
  }
  events.push(...parser.end())
  return { events, passed: passed + filter.end(), isComplete: parser.isComplete }
}

function writeStream(codec: DialectCodec, events: readonly ChatEvent[]): string {
  const writer = codec.streamWriter(meta)
  return events.map((event) => writer.write(event)).join('') + writer.end()
}

describe('recorded answers', () => {
  it.each(rowsOf('response'))(
    '$file is read, passed unchanged and written in all dialects',
    (row) => {
      const codec = codecs[row.dialect]
      const body = readJson(row.file)
      const events = codec.parseAnswer(body)
      const wanted = expectedGist(row.scenario ?? '')
      if (wanted) expect(gist(events)).toEqual(wanted)
      expect(codec.passAnswer(body, meta)).toBe(body)
      for (const dialect of dialects) {
        const written = codecs[dialect].writeAnswer(events, meta)
        const replayed = parseStream(codecs[dialect], writeStream(codecs[dialect], events))
        const back = gist(codecs[dialect].parseAnswer(written))
        expect(back.text + back.reasoning).toBe(
          gist(replayed.events).text + gist(replayed.events).reasoning,
        )
        if (wanted) expect(back).toEqual(wanted)
        if (wanted) expect(gist(replayed.events)).toEqual(wanted)
      }
    },
  )

  it('counts cached and written input of Anthropic inside the input', () => {
    const events = codecs['anthropic-messages'].parseAnswer(
      readJson('anthropic-messages.cache.response.json'),
    )
    const { usage } = aggregateAnswer(events)
    expect(usage).toMatchObject({
      input: 2124,
      cacheRead: 2000,
      cacheWrite5m: 60,
      cacheWrite1h: 40,
      output: 8,
    })
    expect(codecs['anthropic-messages'].writeAnswer(events, meta).usage).toMatchObject({
      input_tokens: 24,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 2000,
    })
  })

  it('names citations to an Anthropic client only where there are some', () => {
    const events = codecs['openai-chat'].parseAnswer(readJson('openai-chat.text.response.json'))
    expect(codecs['anthropic-messages'].writeAnswer(events, meta).content).toEqual([
      { type: 'text', text: 'The capital of France is Paris.' },
    ])
  })

  it.each(['openai-chat.content-filter', 'anthropic-messages.refusal', 'gemini.safety'])(
    '%s ends as filtered in every dialect',
    (name) => {
      const dialect = dialects.find((candidate) => name.startsWith(candidate)) ?? 'openai-chat'
      const events = codecs[dialect].parseAnswer(readJson(`${name}.response.json`))
      for (const codec of Object.values(codecs)) {
        expect(gist(codec.parseAnswer(codec.writeAnswer(events, meta))).finish).toBe('filtered')
      }
    },
  )

  it('a blocked prompt is an event of its own', () => {
    const body = readJson('gemini.blocked.response.json')
    const events = codecs.gemini.parseAnswer(body)
    expect(events).toContainEqual({ type: 'blocked', reason: 'PROHIBITED_CONTENT' })
    expect(codecs['anthropic-messages'].writeAnswer(events, meta)).toMatchObject({
      stop_reason: 'refusal',
    })
    expect(codecs['openai-responses'].writeAnswer(events, meta)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'content_filter' },
    })
    expect(codecs.gemini.writeAnswer(events, meta)).toMatchObject({
      promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
    })
  })
})

describe('recorded streams', () => {
  it.each(rowsOf('stream', 'stream-v2023'))(
    '$file is read, passed byte for byte and written in all dialects',
    (row) => {
      const { events, passed, isComplete } = parseStream(codecs[row.dialect], readText(row.file))
      const wanted = expectedGist(row.scenario ?? '')
      // The sparse form tells no cache.
      if (wanted?.usage && row.kind === 'stream-v2023') wanted.usage[1] = 0
      if (wanted) expect(gist(events)).toEqual(wanted)
      expect(isComplete).toBe(true)
      expect(passed).toBe(readText(row.file))
      for (const dialect of dialects) {
        const back = parseStream(codecs[dialect], writeStream(codecs[dialect], events))
        expect(back.isComplete).toBe(true)
        if (wanted) expect(gist(back.events)).toEqual(wanted)
      }
    },
  )

  it('a stream cut by its output limit ends as length everywhere', () => {
    const text = readText('openai-responses.incomplete-stream.sse')
    const { events } = parseStream(codecs['openai-responses'], text)
    for (const codec of Object.values(codecs)) {
      const back = gist(parseStream(codec, writeStream(codec, events)).events)
      expect(back).toMatchObject({ text: expected.cut, finish: 'length' })
    }
  })

  it.each(rowsOf('error-stream', 'failed-stream', 'error-event-stream'))(
    '$file tells its error, does not pass it on and is not complete',
    (row) => {
      const { events, isComplete, passed } = parseStream(codecs[row.dialect], readText(row.file))
      const error = events.find((event) => event.type === 'error')
      expect(error?.failure).toMatchObject({ status: 200, isKnownShape: true })
      expect(passed).not.toContain(error?.failure.message)
      expect(isComplete).toBe(false)
    },
  )
})

describe('recorded errors', () => {
  it.each(rowsOf('error'))('$file keeps its message, and its words in its own dialect', (row) => {
    const codec = codecs[row.dialect]
    const body = readJson(row.file)
    const failure = codec.readError(row.status ?? 0, body)
    if (failure === undefined) throw new Error('no error was found')
    const error = clientErrorOf(failure, classifyFailure(failure), { requestId: 'r1' })
    expect(error.status).toBe(row.status)
    const original = body.error as JsonObject
    const written = codec.writeError(error).error as JsonObject
    expect(written.message).toBe(`${String(original.message)} (request id: r1)`)
    if (row.dialect === 'anthropic-messages') expect(written.type).toBe(original.type)
    if (row.dialect === 'gemini') expect(written.status).toBe(original.status)
    for (const other of Object.values(codecs)) {
      expect(other.readError(error.status, other.writeError(error))?.message).toBe(error.message)
    }
  })
})

describe('recorded requests', () => {
  const requests = rowsOf('request', 'request-v2023').filter(
    (row) => row.scenario !== 'embeddings' && row.scenario !== 'count-tokens',
  )
  const parse = (row: Row): ChatRequest =>
    codecs[row.dialect].parseRequest(
      readJson(row.file),
      row.dialect === 'gemini'
        ? { model: 'gemini-2.5-flash', stream: row.path.includes('stream') }
        : {},
    )

  it.each(requests)('$file says the same after a way through any dialect', (row) => {
    const request = parse(row)
    for (const dialect of dialects) {
      const body = codecs[dialect].buildRequest(request, {
        upstreamModel: MODELS[dialect],
        dropped: [],
        hints: {},
        option: () => undefined as never,
      })
      const back = codecs[dialect].parseRequest(body, {
        model: request.model,
        stream: request.stream,
      })
      expect(wording(back)).toEqual(wording(request))
    }
  })

  it('says the same in all dialects', () => {
    for (const scenario of ['text', 'tool', 'tool-result', 'vision', 'json-schema']) {
      const sisters = requests.filter((row) => row.scenario === scenario).map(parse)
      expect(sisters).toHaveLength(4)
      for (const sister of sisters)
        expect(wordSet(sister)).toEqual(wordSet(sisters[0] as ChatRequest))
    }
  })

  // The order of a picture and its question differs between the sisters; ids differ by nature.
  const wordSet = (request: ChatRequest) => {
    const { turns, ...rest } = wording(request)
    return { ...rest, turns: turns.map((turn) => [...turn].sort()) }
  }
})

function wording(request: ChatRequest) {
  return {
    system: request.system.map(wordsOf).join('\n\n'),
    turns: request.turns.map((turn) => turn.parts.map(wordsOf)),
    tools: request.tools.map((tool) => tool.name),
    schema: request.responseFormat?.type,
  }
}

function wordsOf(part: Part): string {
  switch (part.kind) {
    case 'tool_call':
      return `call ${part.name} ${part.arguments}`
    case 'tool_result':
      return `result ${part.content.map(wordsOf).join('')}`
    case 'image':
      return `image ${part.source.type === 'base64' ? part.source.data : ''}`
    case 'text':
      return part.text
    default:
      return part.kind
  }
}

it('knows every kind of recorded file', () => {
  const handled = new Set(
    ['request', 'request-v2023', 'response', 'stream', 'stream-v2023', 'error', 'blocked'].concat(
      ['error-stream', 'failed-stream', 'error-event-stream'],
      // Not of a codec: lists, counts and vectors are routes of their own.
      ['models', 'count-tokens', 'embeddings'],
    ),
  )
  expect(files.filter((row) => !handled.has(row.kind))).toEqual([])
})
