import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { Sender } from '../../limits/shares.ts'
import { type BodyIntake, LARGE_BODY_BYTES, type OpenBody } from './body-intake.ts'

/** RFC 6455 section 7.4.1, and 1013 of the registry of that section. */
const POLICY = 1008
const TRY_AGAIN_LATER = 1013
/** What stands before the content of a ping or pong of a client, with its mask (RFC 6455 section 5.2). */
const CONTROL_HEADER_BYTES = 6

/** Counts what has come since the last whole message of a WebSocket among the bodies that are arriving: until its last byte a message is in
 *  nobody's hands but the protocol's. Control frames between its parts count, too: a part of one byte holds all that came in the same packet. Ends the connection
 *  that brings more than the process can take of its sender, or brings it too slowly. */
export function countUnfinished(
  socket: WebSocket,
  connection: Socket,
  intake: BodyIntake,
  sender: Sender,
): void {
  let pending = 0
  let pendingControl = 0
  let body: OpenBody | undefined
  const release = (): void => {
    pending = 0
    pendingControl = 0
    body?.close()
    body = undefined
  }
  const begin = (): OpenBody => {
    const begun = intake.open(sender)
    begun.onRefused = () => {
      // While it is held back, nothing that it says is read.
      if (!socket.isPaused) endNow(socket, connection, POLICY)
    }
    return begun
  }
  const count = ({ length }: Buffer): void => {
    pending += length
    if (pending <= LARGE_BODY_BYTES) return
    const more = body === undefined ? pending : length
    body ??= begin()
    if (!body.take(more)) return
    release()
    // What is on its way while the connection ends is nobody's message, and would be counted against its sender's others.
    connection.off('data', count)
    endNow(socket, connection, TRY_AGAIN_LATER)
  }
  // Whoever only listens may send pings and pongs for days without beginning a message.
  const passControl = ({ length }: Buffer): void => {
    pendingControl += CONTROL_HEADER_BYTES + length
    if (pendingControl >= pending) release()
  }
  // Before the protocol's own listener, which reports in the same turn what the bytes complete.
  connection.prependListener('data', count)
  socket.on('message', release)
  socket.on('ping', passControl)
  socket.on('pong', passControl)
  connection.once('close', release)
}

/** Without waiting for the other side's closing frame, before which it may go on sending. */
function endNow(socket: WebSocket, connection: Socket, code: number): void {
  const takesMore = connection.writableLength === 0
  socket.close(code)
  if (takesMore) connection.destroySoon()
  else socket.terminate()
}
