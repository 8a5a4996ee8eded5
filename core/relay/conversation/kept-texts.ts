// What users may refer to later, in the memory of the process.
import { LRUCache } from 'lru-cache'

const ONE_HOUR_MS = 3_600_000
/** What a text costs beside its characters, so that many short ones are bounded too. */
const CHARS_EACH = 200

interface Kept {
  userId: number
  text: string
}

interface Share {
  chars: number
  /** The size of each text by its key; the one that was used longest ago is first. */
  sizes: Map<string, number>
}

export interface KeptTextBounds {
  /** Characters of all users together. */
  all: number
  /** Characters of one user: who keeps more forgets what he used longest ago, and makes nobody else forget. */
  aUser: number
}

/** Texts by user and id. They are forgotten an hour after they were last used. */
export class KeptTexts {
  readonly #aUser: number
  readonly #texts: LRUCache<string, Kept>
  readonly #shares = new Map<number, Share>()

  constructor({ all, aUser }: KeptTextBounds, clock: { now(): number } = performance) {
    this.#aUser = aUser
    this.#texts = new LRUCache<string, Kept>({
      maxSize: all,
      maxEntrySize: aUser,
      sizeCalculation: sizeOf,
      ttl: ONE_HOUR_MS,
      updateAgeOnGet: true,
      perf: clock,
      dispose: ({ userId }, key) => this.#left(userId, key),
    })
  }

  /** A text that is longer than a user's share is not kept. */
  keep(userId: number, id: string, text: string): void {
    const key = keyOf(userId, id)
    const kept = { userId, text }
    this.#texts.set(key, kept)
    if (!this.#texts.has(key)) return
    const share = this.#shares.get(userId) ?? { chars: 0, sizes: new Map<string, number>() }
    this.#shares.set(userId, share)
    share.chars += sizeOf(kept)
    share.sizes.set(key, sizeOf(kept))
    for (const oldest of share.sizes.keys()) {
      if (share.chars <= this.#aUser) break
      this.#texts.delete(oldest)
    }
  }

  find(userId: number, id: string): string | undefined {
    const key = keyOf(userId, id)
    const kept = this.#texts.get(key)
    const sizes = this.#shares.get(userId)?.sizes
    if (!kept || !sizes) return undefined
    sizes.delete(key)
    sizes.set(key, sizeOf(kept))
    return kept.text
  }

  has(userId: number, id: string): boolean {
    return this.#texts.has(keyOf(userId, id))
  }

  forget(userId: number, id: string): void {
    this.#texts.delete(keyOf(userId, id))
  }

  forgetWhere(userId: number, isMeant: (id: string) => boolean): void {
    const keys = this.#shares.get(userId)?.sizes.keys() ?? []
    const start = keyOf(userId, '').length
    for (const key of keys) if (isMeant(key.slice(start))) this.#texts.delete(key)
  }

  #left(userId: number, key: string): void {
    const share = this.#shares.get(userId)
    const size = share?.sizes.get(key)
    if (!share || size === undefined) return
    share.sizes.delete(key)
    share.chars -= size
    if (share.sizes.size === 0) this.#shares.delete(userId)
  }
}

function keyOf(userId: number, id: string): string {
  return `${userId}\n${id}`
}

function sizeOf({ text }: Pick<Kept, 'text'>): number {
  return text.length + CHARS_EACH
}
