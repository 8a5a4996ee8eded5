// If a worker dies while node:cluster hands a connection over to it, nobody owns the connection: Node keeps its end open and forgets it.
import type { Worker } from 'node:cluster'

interface Closable {
  close(): void
}

/** Closes such connections when the worker has ended, so that their clients do not wait for ever. It watches the
 *  messages of node:cluster: `{ act: 'newconn', seq }` comes with a connection and is answered by `{ ack: seq }`. */
export function closeLostHandovers(worker: Worker): void {
  const waiting = new Map<unknown, Closable>()
  const child = worker.process
  const send = child.send.bind(child) as (...words: unknown[]) => boolean
  const watched = (...words: unknown[]): boolean => {
    const [message, connection] = words
    if (fieldOf(message, 'act') === 'newconn' && isClosable(connection))
      waiting.set(fieldOf(message, 'seq'), connection)
    return send(...words)
  }
  Object.assign(child, { send: watched })
  child.on('internalMessage', (message: unknown) => waiting.delete(fieldOf(message, 'ack')))
  worker.once('exit', () => {
    for (const connection of waiting.values()) connection.close()
    waiting.clear()
  })
}

function fieldOf(message: unknown, name: string): unknown {
  return typeof message === 'object' && message !== null ? Reflect.get(message, name) : undefined
}

function isClosable(value: unknown): value is Closable {
  return typeof fieldOf(value, 'close') === 'function'
}
