import type { WebSocket } from 'ws'

/** Proxies close connections on which nothing comes for a minute. */
const PING_MS = 25_000

/** Ends a connection whose other side has not answered the last ping, and said nothing since: it has vanished without a word. */
export function pingOften(socket: WebSocket): void {
  let isAlive = true
  const heard = () => {
    isAlive = true
  }
  socket.on('pong', heard)
  socket.on('message', heard)
  const timer = setInterval(() => {
    // While it is held back, nothing that it says is read.
    if (!isAlive && !socket.isPaused) return socket.terminate()
    isAlive = false
    socket.ping()
  }, PING_MS).unref()
  socket.once('close', () => clearInterval(timer))
}
