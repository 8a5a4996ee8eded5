// What Responses sockets remember of their conversations, for turns that state only what is new.
import { LRUCache } from 'lru-cache'

const ONE_HOUR_MS = 3_600_000
/** The bound for all sockets together. */
const CHARS_KEPT = 64 * 1_048_576
const LONGEST_TURN = 16 * 1_048_576

/** Items of conversations by the id of the response that ends them, as the inside of a JSON list. What is over the bounds or an hour old is
 *  forgotten; the client then hears that the response is unknown, and sends everything again. */
export class KeptTurns {
  readonly #turns = new LRUCache<string, string>({
    maxSize: CHARS_KEPT,
    maxEntrySize: LONGEST_TURN,
    sizeCalculation: ({ length }) => Math.max(1, length),
    ttl: ONE_HOUR_MS,
  })

  /** @param socketId of the socket that alone may go on from there */
  keep(socketId: string, responseId: string, items: string): void {
    this.#turns.set(keyOf(socketId, responseId), items)
  }

  find(socketId: string, responseId: string): string | undefined {
    return this.#turns.get(keyOf(socketId, responseId))
  }

  forget(socketId: string, responseId: string): void {
    this.#turns.delete(keyOf(socketId, responseId))
  }
}

function keyOf(socketId: string, responseId: string): string {
  return `${socketId}\n${responseId}`
}
