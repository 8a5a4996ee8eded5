import type { Writable } from 'node:stream'
import type { Socket } from 'node:net'

/** The stream on which a client reads an answer. */
type Answer = Writable & { readonly socket: Socket | null }

/** Resolves when the stream accepts more or is closed. Closes it if its client reads nothing for `stallMs`. */
export function drained(stream: Answer, stallMs: number): Promise<void> {
  // A destroyed stream emits no further events.
  if (stream.destroyed) return Promise.resolve()
  limitStall(stream, stallMs)
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done)
      stream.off('close', done)
      stream.socket?.setTimeout(0)
      resolve()
    }
    stream.once('drain', done)
    stream.once('close', done)
  })
}

/** Closes the connection when nothing has been sent on it for this time. A slow reader is not affected, however little
 *  it takes at a time. */
export function limitStall({ socket }: Answer, stallMs: number): void {
  socket?.setTimeout(stallMs)
}
