// Answers on the port while no worker has it: with the last of them node:cluster closes it, and a client would find nobody there.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { randomUUID } from 'node:crypto'
import { codecs } from '../../dialects/index.ts'
import { dialectOfPath } from '../../http/invalid-url.ts'
import { ownClientError } from '../../relay/call/relay-error-wording.ts'
import { relayErrors } from '../../relay/call/relay-errors.ts'

/** What a restart takes, about. */
const RETRY_AFTER_SECONDS = '3'
/** Until node:cluster has let go of the port. */
const NEXT_TRY_MS = 10
/** For who sends a body on and on; nothing of it is kept. */
const LONGEST_REQUEST_MS = 5_000

export class StandIn {
  #server: Server | undefined

  open(host: string, port: number): void {
    if (this.#server !== undefined) return
    const server = createServer({ requestTimeout: LONGEST_REQUEST_MS }, answer)
    this.#server = server
    server.on('error', () =>
      setTimeout(() => {
        if (this.#server === server) server.listen(port, host)
      }, NEXT_TRY_MS),
    )
    server.listen(port, host)
  }

  /** The port is free when it returns; who has asked is answered. */
  close(): void {
    this.#server?.close()
    this.#server = undefined
  }
}

/** The whole request is read first: a client that still sends would find the connection broken in the place of an answer. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  request.on('error', () => undefined)
  request.on('end', () => {
    const text = JSON.stringify(bodyFor(request))
    response.writeHead(503, {
      'content-type': 'application/json; charset=utf-8',
      'retry-after': RETRY_AFTER_SECONDS,
      connection: 'close',
    })
    response.end(text)
  })
  request.resume()
}

function bodyFor({ url = '/', headers }: IncomingMessage): object {
  const path = url.split('?')[0] ?? '/'
  const language = headers['accept-language']?.startsWith('zh') === true ? 'zh' : 'en'
  const error = relayErrors.starting()
  if (path === '/api' || path.startsWith('/api/'))
    return { success: false, message: error.messageIn(language), code: error.code }
  const shown = ownClientError(error, randomUUID(), language)
  return codecs[dialectOfPath(path) ?? 'openai-chat'].writeError(shown)
}
