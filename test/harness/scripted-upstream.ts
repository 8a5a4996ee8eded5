// An upstream that behaves as the test says and records its requests.
import { type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { objectIn } from '../../core/contract/json.ts'

export interface UpstreamCall {
  path: string
  method: string
  headers: Record<string, unknown>
  /** The body as text. */
  sent: string
  /** The parsed body, if it was JSON. */
  body: Record<string, unknown>
}

export type UpstreamBehaviour = (
  response: ServerResponse,
  call: UpstreamCall,
) => void | Promise<void>

export interface ScriptedUpstream {
  readonly url: string
  readonly calls: UpstreamCall[]
  /** Takes effect with the next call. */
  behave(behaviour: UpstreamBehaviour): void
  close(): Promise<void>
}

export async function scriptedUpstream(): Promise<ScriptedUpstream> {
  const calls: UpstreamCall[] = []
  let next: UpstreamBehaviour = (response) => void response.end()
  const server = createServer((request, response) => {
    void text(request)
      .then(async (sent) => {
        const call = {
          path: request.url ?? '',
          method: request.method ?? '',
          headers: request.headers,
          sent,
          body: objectIn(sent) ?? {},
        }
        calls.push(call)
        await next(response, call)
      })
      .catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A test whose gateway did not start may never close it; its process must end all the same.
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    behave: (behaviour) => void (next = behaviour),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

/** Writes events, objects as JSON data and texts as they are; the stream stays open. */
export function writeEvents(response: ServerResponse, events: readonly unknown[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events)
    response.write(typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\n\n`)
}

/** Resolves when the written bytes have been sent, so that the client gets them before a break that follows. */
export function flushed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.write(': flushed\n\n', () => setImmediate(resolve))
  })
}
