// A provider for tests and the demo that answers OpenAI chat and Anthropic messages, whole and streamed, with known
// usage.
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { isObject, type JsonObject, objectIn } from '../../core/contract/json.ts'

export interface FakeUpstreamOptions {
  /** The text of the answer to the last user message. */
  answer?: (prompt: string) => string
  promptTokens?: number
  completionTokens?: number
  /** The delay before each piece of a stream, and before a whole answer. */
  delayMs?: number
  /** Serves TLS with these. */
  tls?: { cert: string; key: string }
}

export interface FakeUpstream {
  readonly url: string
  /** The number of connections that were opened so far. */
  readonly connectionCount: number
  /** The number of calls so far. */
  readonly callCount: number
  /** The number of open answers. */
  readonly openCount: number
  close(): Promise<void>
}

export async function fakeUpstream({
  tls,
  ...options
}: FakeUpstreamOptions = {}): Promise<FakeUpstream> {
  const provider = new Provider(options)
  const serve = (request: IncomingMessage, response: ServerResponse) =>
    void provider.serve(request, response)
  const server = tls ? createSecureServer(tls, serve) : createServer(serve)
  let connectionCount = 0
  server.on(tls ? 'secureConnection' : 'connection', () => connectionCount++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // As in scripted-upstream.ts.
  server.unref()
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connectionCount() {
      return connectionCount
    },
    get callCount() {
      return provider.callCount
    },
    get openCount() {
      return provider.openCount
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

class Provider {
  readonly #options: Required<Omit<FakeUpstreamOptions, 'tls'>>
  callCount = 0
  openCount = 0

  constructor(options: Omit<FakeUpstreamOptions, 'tls'>) {
    this.#options = {
      answer: () => 'Hello from the fake provider.',
      promptTokens: 10,
      completionTokens: 5,
      delayMs: 0,
      ...options,
    }
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.callCount++
    this.openCount++
    response.once('close', () => this.openCount--)
    const body = objectIn(await text(request)) ?? {}
    const dialect = dialects[new URL(request.url ?? '/', 'http://upstream').pathname]
    if (!dialect) {
      sendJson(response, 404, { error: { message: 'no such path', type: 'invalid_request_error' } })
      return
    }
    const { answer, promptTokens, completionTokens } = this.#options
    const said: Said = {
      model: String(body['model']),
      text: answer(lastUserText(body)),
      promptTokens,
      completionTokens,
    }
    if (body['stream'] === true) await this.#stream(response, dialect.events(said))
    else {
      await this.#pause()
      sendJson(response, 200, dialect.answer(said))
    }
  }

  async #stream(response: ServerResponse, events: string[]): Promise<void> {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of events) {
      await this.#pause()
      if (response.destroyed) return
      response.write(event)
    }
    response.end()
  }

  async #pause(): Promise<void> {
    if (this.#options.delayMs > 0) await wait(this.#options.delayMs)
  }
}

interface Said {
  model: string
  text: string
  promptTokens: number
  completionTokens: number
}

interface Dialect {
  answer(said: Said): JsonObject
  events(said: Said): string[]
}

const openaiChat: Dialect = {
  answer: (said) => ({
    id: 'chatcmpl-fake',
    object: 'chat.completion',
    created: 1_767_322_800,
    model: said.model,
    choices: [
      { index: 0, message: { role: 'assistant', content: said.text }, finish_reason: 'stop' },
    ],
    usage: openaiUsage(said),
  }),
  events: (said) => {
    const chunk = (choices: unknown[], more: object = {}) =>
      `data: ${JSON.stringify({ id: 'chatcmpl-fake', object: 'chat.completion.chunk', created: 1_767_322_800, model: said.model, choices, ...more })}\n\n`
    const delta = (value: object, finish: string | null = null) =>
      chunk([{ index: 0, delta: value, finish_reason: finish }])
    return [
      delta({ role: 'assistant', content: '' }),
      ...words(said.text).map((content) => delta({ content })),
      delta({}, 'stop'),
      chunk([], { usage: openaiUsage(said) }),
      'data: [DONE]\n\n',
    ]
  },
}

const anthropicMessages: Dialect = {
  answer: (said) => ({
    ...anthropicMessage(said),
    content: [{ type: 'text', text: said.text }],
    stop_reason: 'end_turn',
    usage: { input_tokens: said.promptTokens, output_tokens: said.completionTokens },
  }),
  events: (said) => {
    const event = (type: string, more: object) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`
    const start = { input_tokens: said.promptTokens, output_tokens: 1 }
    return [
      event('message_start', { message: { ...anthropicMessage(said), content: [], usage: start } }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      ...words(said.text).map((text) =>
        event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
      ),
      event('content_block_stop', { index: 0 }),
      event('message_delta', {
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: said.completionTokens },
      }),
      event('message_stop', {}),
    ]
  },
}

const dialects: Record<string, Dialect> = {
  '/v1/chat/completions': openaiChat,
  '/v1/messages': anthropicMessages,
}

function openaiUsage({ promptTokens, completionTokens }: Said) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  }
}

function anthropicMessage({ model }: Said) {
  return {
    id: 'msg_fake',
    type: 'message',
    role: 'assistant',
    model,
    stop_reason: null,
    stop_sequence: null,
  }
}

/** Both dialects keep the conversation in `messages`, whose content is a text or a list of parts. */
function lastUserText(body: JsonObject): string {
  const messages: unknown[] = Array.isArray(body['messages']) ? body['messages'] : []
  const last = messages.findLast((message) => isObject(message) && message['role'] === 'user')
  const content = isObject(last) ? last['content'] : ''
  if (typeof content === 'string') return content
  const parts: unknown[] = Array.isArray(content) ? content : []
  return parts
    .map((part) => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('')
}

function words(text: string): string[] {
  return text.match(/\S+\s*/g) ?? []
}

function sendJson(response: ServerResponse, status: number, body: JsonObject): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}
