// Answers on the port while no worker listens. When the last worker ends, node:cluster closes the port, and clients
// would not be able to connect.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { randomUUID } from 'node:crypto'
import { codecs } from '../../dialects/index.ts'
import { dialectOfPath } from '../../http/guess-dialect.ts'
import { ownClientError } from '../../relay/call/relay-error-wording.ts'
import { relayErrors } from '../../relay/call/relay-errors.ts'

/** About how long a restart takes. */
const RETRY_AFTER_SECONDS = '3'
/** Pause before the next try, while node:cluster still holds the port. */
const NEXT_TRY_MS = 10
/** Ends requests whose body does not end; nothing of the body is kept. */
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

  /** Frees the port. Requests that have arrived are still answered. */
  close(): void {
    this.#server?.close()
    this.#server = undefined
  }
}

/** Reads the whole request first: to a client that is still sending, an early answer would look like a broken connection. */
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
