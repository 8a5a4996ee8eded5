import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Connections on which nothing has been said. The end of Node's server waits for them as for answers, and browsers and balancers open some in
 * advance.
 */
export class SilentConnections {
  readonly #open = new Set<Socket>()

  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.#open.add(socket)
      socket.once('close', () => this.#open.delete(socket))
    })
  }

  end(): void {
    for (const socket of this.#open) if (socket.bytesRead === 0) socket.destroy()
  }
}
