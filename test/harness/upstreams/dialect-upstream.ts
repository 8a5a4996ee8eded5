// An upstream that sends the recorded answers of test/fixtures/dialects. The name of the model chooses the scenario.
import { readFileSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { JsonObject } from '#core'

const folder = new URL('../../fixtures/dialects/', import.meta.url)

/** The content of the recorded conversation in every dialect; `usage` has the same totals everywhere. */
export const recorded = (JSON.parse(read('index.json')) as { expected: Recorded }).expected

interface Recorded {
  text: string
  tool_text: string
  tools: { name: string; args: JsonObject }[]
  final: string
  vision: string
  reasoning: string
  reasoning_answer: string
  json: string
  usage: Record<string, { in: number; out: number }>
}

export type UpstreamDialect = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini'

/** `up-gemini-tool-stream`: a name that no rule of a provider matches, except for Responses, where OpenAI serves the
 *  model only there. */
export function modelFor(dialect: UpstreamDialect, scenario: string): string {
  const family = dialect === 'openai-responses' ? 'gpt-5-codex' : `up-${dialect.split('-')[0]}`
  return `${family}-${scenario}`
}

/** The recorded request of a client, as its SDK sends it. */
export function recordedRequest(dialect: string, scenario: string): JsonObject {
  return JSON.parse(read(`${dialect}.${scenario}.request.json`)) as JsonObject
}

export async function dialectUpstream(): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = (await buffer(request)).toString('utf8')
  const { pathname } = new URL(request.url ?? '/', 'http://upstream')
  const inPath = /\/models\/([^/:]+):/.exec(pathname)?.[1]
  const model = inPath ?? (JSON.parse(body) as { model: string }).model
  const dialect = inPath ? 'gemini' : dialectOf(pathname)
  const scenario = model.replace(/^(up-[a-z]+|gpt-5-codex)-/, '')
  if (model.startsWith('gpt-5-codex') && dialect !== 'openai-responses') {
    response.writeHead(404).end()
    return
  }
  const status = Number(/^error-(\d+)$/.exec(scenario)?.[1] ?? 200)
  const isStream = scenario.endsWith('-stream')
  const file = `${dialect}.${scenario}${isStream ? '.sse' : status === 200 ? '.response.json' : '.json'}`
  const recording = read(file)
  response.writeHead(status, {
    'content-type': isStream ? 'text/event-stream' : 'application/json',
  })
  response.end(recording)
}

function dialectOf(pathname: string): string {
  if (pathname.endsWith('/messages')) return 'anthropic-messages'
  return pathname.endsWith('/responses') ? 'openai-responses' : 'openai-chat'
}

function read(name: string): string {
  return readFileSync(new URL(name, folder), 'utf8')
}
