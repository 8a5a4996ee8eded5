import type { WebSocket } from 'ws'

/** RFC 6455 section 7.4.1: the server goes down. */
const GOING_AWAY = 1001
/** For a client to close its side, too: the library would wait for half a minute. */
const PARTING_MS = 2_000

/** WebSockets that plugins serve, which may stay open for days: a stop that waited for them would take its whole limit. Those of calls and
 *  sessions end with their answer (`LiveSessions`). */
export class OpenSockets {
  readonly #sockets = new Set<WebSocket>()
  #isEnding = false

  add(socket: WebSocket): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    if (this.#isEnding) part(socket)
  }

  /** Closes all, and what opens later. */
  end(): void {
    this.#isEnding = true
    for (const socket of this.#sockets) part(socket)
  }
}

function part(socket: WebSocket): void {
  socket.close(GOING_AWAY)
  const timer = setTimeout(() => socket.terminate(), PARTING_MS)
  socket.once('close', () => clearTimeout(timer))
}
