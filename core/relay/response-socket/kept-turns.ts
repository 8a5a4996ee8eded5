// What Responses sockets remember of their conversations, for turns that state only what is new.
import { LRUCache } from 'lru-cache'

const ONE_HOUR_MS = 3_600_000
/** The bound for all sockets together. */
const CHARS_KEPT = 64 * 1_048_576
/** The bound for one user, whose sockets must not make all others forget. */
const CHARS_A_USER = 16 * 1_048_576

/** The socket that alone may go on from what it remembers. */
export interface TurnPlace {
  userId: number
  socketId: string
}

interface Turn extends TurnPlace {
  /** The inside of a JSON list. */
  items: string
}

/** Items of conversations by the id of the response that ends them. What is over the bounds or an hour old is forgotten; the client then hears
 *  that the response is unknown, and sends everything again. */
export class KeptTurns {
  readonly #turns = new LRUCache<string, Turn>({
    maxSize: CHARS_KEPT,
    maxEntrySize: CHARS_A_USER,
    sizeCalculation: sizeOf,
    ttl: ONE_HOUR_MS,
    dispose: (turn, key) => this.#left(turn, key),
  })
  /** The keys of each user, the oldest first, with the size of each turn. */
  readonly #ofUser = new Map<number, Map<string, number>>()

  keep(place: TurnPlace, responseId: string, items: string): void {
    const key = keyOf(place, responseId)
    const turn = { ...place, items }
    const own = this.#ofUser.get(place.userId) ?? new Map<string, number>()
    let size = sizeOf(turn)
    for (const kept of own.values()) size += kept
    for (const [oldest, kept] of own) {
      if (size <= CHARS_A_USER) break
      size -= kept
      this.#turns.delete(oldest)
    }
    this.#turns.set(key, turn)
    if (this.#turns.has(key)) this.#ofUser.set(place.userId, own.set(key, sizeOf(turn)))
  }

  find(place: TurnPlace, responseId: string): string | undefined {
    return this.#turns.get(keyOf(place, responseId))?.items
  }

  forget(place: TurnPlace, responseId: string): void {
    this.#turns.delete(keyOf(place, responseId))
  }

  #left({ userId }: Turn, key: string): void {
    const own = this.#ofUser.get(userId)
    own?.delete(key)
    if (own?.size === 0) this.#ofUser.delete(userId)
  }
}

function keyOf({ socketId }: TurnPlace, responseId: string): string {
  return `${socketId}\n${responseId}`
}

function sizeOf({ items }: Turn): number {
  return Math.max(1, items.length)
}
