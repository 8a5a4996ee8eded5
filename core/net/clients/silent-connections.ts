import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Tracks connections on which nothing was sent yet. A closing Node server waits for them as if they had open answers,
 *  and browsers and load balancers open some in advance. */
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
