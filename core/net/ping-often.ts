import type { WebSocket } from 'ws'

/** Proxies close connections on which nothing comes for a minute. */
const PING_MS = 25_000

interface OtherSide {
  /** Whether it may be one that never answers a ping, though the protocol demands it: then it is held to what it has done before. */
  mayIgnorePings?: boolean
}

/** Ends a connection whose other side has not answered the last ping, and said nothing since: it has vanished without a word. */
export function pingOften(socket: WebSocket, { mayIgnorePings = false }: OtherSide = {}): void {
  let isAlive = true
  let answersPings = !mayIgnorePings
  const heard = () => {
    isAlive = true
  }
  socket.on('message', heard)
  socket.on('pong', () => {
    heard()
    answersPings = true
  })
  const timer = setInterval(() => {
    // While it is held back, nothing that it says is read.
    if (!isAlive && answersPings && !socket.isPaused) return socket.terminate()
    isAlive = false
    socket.ping()
  }, PING_MS).unref()
  socket.once('close', () => clearInterval(timer))
}
