// The official SDKs read what the writers write: every recorded stream, converted to every dialect, sent in small pieces.
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChatDialect, ClientError } from '../contract/dialect.ts'
import type { ChatEvent } from '../contract/neutral.ts'
import { codecs } from './index.ts'
import { SseSplitter } from '../wire/sse.ts'
import { answerMeta } from '../../test/harness/answer-meta.ts'

const dialects = Object.keys(codecs) as ChatDialect[]
const scenarios = ['text', 'tool', 'reasoning'] as const
type Scenario = (typeof scenarios)[number]

const meta = answerMeta({ requestedModel: 'shown', createdSeconds: 1_767_225_600 })

interface Answer {
  text: string
  calls: { name: string; args: unknown }[]
  input: number | undefined
  output: number | undefined
}

const EXPECTED: Record<Scenario, Answer> = {
  text: { text: 'The capital of France is Paris.', calls: [], input: 24, output: 8 },
  tool: {
    text: 'Let me check both.',
    calls: [
      { name: 'get_weather', args: { city: 'Oslo', unit: 'celsius' } },
      { name: 'get_time', args: { city: 'Oslo' } },
    ],
    input: 148,
    output: 47,
  },
  reasoning: { text: '391', calls: [], input: 15, output: 62 },
}

let server: Server
let baseUrl: string
/** What the server answers next. */
let answer: { type: string; body: string; status: number }

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume()
    response.writeHead(answer.status, { 'content-type': answer.type, 'x-should-retry': 'false' })
    const bytes = Buffer.from(answer.body)
    for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7))
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

function eventsOf(dialect: ChatDialect, scenario: Scenario): ChatEvent[] {
  const file = new URL(
    `../../test/fixtures/dialects/${dialect}.${scenario}-stream.sse`,
    import.meta.url,
  )
  const parser = codecs[dialect].streamParser()
  const events = new SseSplitter().push(readFileSync(file)).flatMap((event) => parser.push(event))
  return [...events, ...parser.end()]
}

const readers: Record<ChatDialect, { stream(): Promise<Answer>; whole(): Promise<Answer> }> = {
  'openai-chat': {
    async stream() {
      return answerOfChat(
        await chat()
          .chat.completions.stream({ ...chatBody, stream_options: { include_usage: true } })
          .finalChatCompletion(),
      )
    },
    async whole() {
      return answerOfChat(await chat().chat.completions.create(chatBody))
    },
  },
  'openai-responses': {
    async stream() {
      return answerOfResponse(
        await chat().responses.stream({ model: 'm', input: 'x' }).finalResponse(),
      )
    },
    async whole() {
      return answerOfResponse(await chat().responses.create({ model: 'm', input: 'x' }))
    },
  },
  'anthropic-messages': {
    async stream() {
      return answerOfMessage(await claude().messages.stream(claudeBody).finalMessage())
    },
    async whole() {
      return answerOfMessage(await claude().messages.create(claudeBody))
    },
  },
  gemini: {
    async stream() {
      const chunks = await google().models.generateContentStream({ model: 'm', contents: 'x' })
      const answer: Answer = { text: '', calls: [], input: undefined, output: undefined }
      for await (const chunk of chunks) addGemini(answer, chunk)
      return answer
    },
    async whole() {
      const answer: Answer = { text: '', calls: [], input: undefined, output: undefined }
      addGemini(answer, await google().models.generateContent({ model: 'm', contents: 'x' }))
      return answer
    },
  },
}

const chat = () => new OpenAI({ apiKey: 'k', baseURL: `${baseUrl}/v1`, maxRetries: 0 })
const claude = () => new Anthropic({ apiKey: 'k', baseURL: baseUrl, maxRetries: 0 })
const google = () => new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl } })
const chatBody = { model: 'm', messages: [{ role: 'user' as const, content: 'x' }] }
const claudeBody = {
  model: 'm',
  max_tokens: 10,
  messages: [{ role: 'user' as const, content: 'x' }],
}

function answerOfChat(completion: OpenAI.Chat.ChatCompletion): Answer {
  const message = completion.choices[0]?.message
  return {
    text: message?.content ?? '',
    calls: (message?.tool_calls ?? []).flatMap((call) =>
      call.type === 'function'
        ? [{ name: call.function.name, args: JSON.parse(call.function.arguments) as unknown }]
        : [],
    ),
    input: completion.usage?.prompt_tokens,
    output: completion.usage?.completion_tokens,
  }
}

function answerOfResponse(response: OpenAI.Responses.Response): Answer {
  return {
    text: response.output_text,
    calls: response.output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ name: item.name, args: JSON.parse(item.arguments) as unknown }]
        : [],
    ),
    input: response.usage?.input_tokens,
    output: response.usage?.output_tokens,
  }
}

function answerOfMessage(message: Anthropic.Message): Answer {
  const { usage } = message
  return {
    text: message.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    calls: message.content.flatMap((block) =>
      block.type === 'tool_use' ? [{ name: block.name, args: block.input }] : [],
    ),
    input: usage.input_tokens + (usage.cache_read_input_tokens ?? 0),
    output: usage.output_tokens,
  }
}

function addGemini(
  answer: Answer,
  chunk: Awaited<ReturnType<GoogleGenAI['models']['generateContent']>>,
): void {
  const parts = chunk.candidates?.[0]?.content?.parts ?? []
  for (const part of parts) {
    if (part.text !== undefined && part.thought !== true) answer.text += part.text
    if (part.functionCall)
      answer.calls.push({ name: part.functionCall.name ?? '', args: part.functionCall.args })
  }
  answer.input = chunk.usageMetadata?.promptTokenCount
  answer.output =
    (chunk.usageMetadata?.candidatesTokenCount ?? 0) +
    (chunk.usageMetadata?.thoughtsTokenCount ?? 0)
}

const pairs = dialects.flatMap((upstream) => dialects.map((client) => ({ upstream, client })))

describe.each(pairs)('the SDK of $client on an upstream of $upstream', ({ upstream, client }) => {
  it.each(scenarios)('reads %s from a stream and from a whole answer', async (scenario) => {
    const events = eventsOf(upstream, scenario)
    const writer = codecs[client].streamWriter(meta)
    const stream = events.map((event) => writer.write(event)).join('') + writer.end()
    const { ping } = codecs[client]
    const pinged = ping + stream.replaceAll('\n\n', `\n\n${ping}${ping}`)
    for (const body of [stream, pinged]) {
      answer = { type: 'text/event-stream', body, status: 200 }
      expect(await readers[client].stream()).toEqual(EXPECTED[scenario])
    }
    const whole = JSON.stringify(codecs[client].writeAnswer(events, meta))
    answer = { type: 'application/json', body: whole, status: 200 }
    expect(await readers[client].whole()).toEqual(EXPECTED[scenario])
  })
})

describe.each(dialects)('the SDK of %s', (client) => {
  const error: ClientError = {
    status: 429,
    code: 'rate_limit_exceeded',
    message: 'Too many calls.',
    openaiType: 'rate_limit_error',
    anthropicType: 'rate_limit_error',
    geminiStatus: 'RESOURCE_EXHAUSTED',
    param: null,
    requestId: 'r1',
  }

  it('throws on an error answer and on an error after the output began', async () => {
    const body = JSON.stringify(codecs[client].writeError(error))
    answer = { type: 'application/json', body, status: 429 }
    await expect(readers[client].whole()).rejects.toThrow(/Too many calls/)
    const writer = codecs[client].streamWriter(meta)
    const begun = eventsOf('openai-chat', 'text')
      .slice(0, 3)
      .map((event) => writer.write(event))
      .join('')
    for (const ending of [writer.error(error), codecs[client].streamError(error)]) {
      answer = { type: 'text/event-stream', body: begun + ending, status: 200 }
      await expect(readers[client].stream()).rejects.toThrow(/Too many calls/)
    }
  })
})

describe('what keeps a Gemini stream alive', () => {
  // The Python SDK (google-genai) reads each line that is neither empty nor data as JSON.
  it('is an empty line, also where the upstream sent a comment', () => {
    const { passFilter, ping } = codecs.gemini
    expect(ping).toMatch(/^\n+$/)
    const [comment] = new SseSplitter().push(Buffer.from(': keep-alive\n\n'))
    expect(comment && passFilter(meta)(comment, [])).toBe(ping)
  })
})
