import type { Writable } from 'node:stream'
import type { Socket } from 'node:net'

/** The end of an answer that a client reads. */
type Answer = Writable & { readonly socket: Socket | null }

/** Resolves when the stream takes more, or is closed; closes it when its client takes nothing for `stallMs`. */
export function drained(stream: Answer, stallMs: number): Promise<void> {
  // Nothing is told of it any more.
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

/** The server closes a connection on which nothing has moved for so long, in pieces of whatever size: a slow reader is none. */
export function limitStall({ socket }: Answer, stallMs: number): void {
  socket?.setTimeout(stallMs)
}
