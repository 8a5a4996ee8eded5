import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'

/** Proxies close connections on which nothing comes for a minute. */
const PING_MS = 25_000
/** A client of one thread (Python's websocket-client) answers only while it reads: it is silent while it runs a tool or plays what it has got. */
const MOST_UNANSWERED = 4

interface OtherSide {
  /** Whether it may be one that never answers a ping, though the protocol demands it: then it is held to what it has done before. */
  mayIgnorePings?: boolean
}

/** Ends a connection whose other side has answered none of the last pings, and sent nothing since: it has vanished without a word. Whatever
 *  arrives counts, also pings of its own and parts of a long message.
 *  @param connection what carries the socket */
export function pingOften(
  socket: WebSocket,
  connection: Pick<Socket, 'bytesRead'>,
  { mayIgnorePings = false }: OtherSide = {},
): void {
  let unanswered = 0
  let bytesRead = 0
  let answersPings = !mayIgnorePings
  socket.once('pong', () => {
    answersPings = true
  })
  const timer = setInterval(() => {
    // While it is held back, nothing that it says is read.
    if (connection.bytesRead !== bytesRead || socket.isPaused) unanswered = 0
    bytesRead = connection.bytesRead
    if (unanswered >= MOST_UNANSWERED && answersPings) return socket.terminate()
    unanswered += 1
    socket.ping()
  }, PING_MS).unref()
  socket.once('close', () => clearInterval(timer))
}
