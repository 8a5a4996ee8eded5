// Requests to this process's own HTTP server, over connections in memory.
import { type IncomingMessage, request, type Server } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'

export interface OwnRequest {
  path: string
  headers: Record<string, string>
  body: string
  /** The address of the client on whose behalf it is sent. */
  remoteAddress: string
  /** Aborting it is the client's leaving. */
  signal: AbortSignal
}

/** For clients whose messages come by another way than HTTP: each message is a request like any other, of the generation that serves when it
 *  comes, with the same checks, limits and hooks. */
export class Loopback {
  #server: Server | undefined

  /** Tells the server that answers. */
  serve(server: Server): void {
    this.#server = server
  }

  /** Resolves with the head of the answer, whose body is read from it.
   *  @throws Error if the server closes the connection before it answers, or the signal is aborted */
  post({ path, headers, body, remoteAddress, signal }: OwnRequest): Promise<IncomingMessage> {
    const bytes = Buffer.from(body)
    return new Promise((resolve, reject) => {
      const outgoing = request({
        method: 'POST',
        path,
        headers: { ...headers, 'content-length': bytes.length },
        createConnection: () => this.#connect(remoteAddress),
        signal,
      })
      outgoing.once('response', resolve)
      // Also after the answer has begun, when its body tells of the same fault.
      outgoing.on('error', reject)
      outgoing.end(bytes)
    })
  }

  #connect(remoteAddress: string): Duplex {
    if (!this.#server) throw new Error('nothing is served yet')
    const [near, far] = duplexPair()
    // A pair passes on the end of what was written, but not that one of them was closed.
    near.once('close', () => far.destroy())
    far.once('close', () => near.destroy())
    // Time limits are those of the connection by which the message came.
    this.#server.emit('connection', Object.assign(far, { remoteAddress, setTimeout: () => far }))
    return near
  }
}
