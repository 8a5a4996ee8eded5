// An in-memory store of answers that evicts the least recently used one first.

interface Entry {
  answer: string
  bytes: number
  /** Milliseconds of the monotonic clock. */
  keptAtMs: number
  /** What the original call was charged, in units. */
  units: number
}

/** Bytes per character. An upper bound: most texts need one. */
const BYTES_PER_CHAR = 2
/** The size of an entry without its texts. */
const OVERHEAD = 200

export class AnswerStore {
  readonly #now: () => number
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>()
  #bytes = 0

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  get size(): { entries: number; bytes: number } {
    return { entries: this.#entries.size, bytes: this.#bytes }
  }

  get(key: string, lifetimeMs: number): { answer: string; units: number } | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    if (this.#now() - entry.keptAtMs >= lifetimeMs) {
      this.#drop(key, entry)
      return undefined
    }
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry
  }

  set(key: string, answer: { answer: string; units: number }, mostBytes: number): void {
    const bytes = (key.length + answer.answer.length) * BYTES_PER_CHAR + OVERHEAD
    const old = this.#entries.get(key)
    if (old) this.#drop(key, old)
    // One large answer must not evict all others.
    if (bytes > mostBytes / 4) return
    this.#entries.set(key, { ...answer, bytes, keptAtMs: this.#now() })
    this.#bytes += bytes
    this.trim(mostBytes)
  }

  trim(mostBytes: number): void {
    for (const [key, entry] of this.#entries) {
      if (this.#bytes <= mostBytes) return
      this.#drop(key, entry)
    }
  }

  /** Removes expired entries. Checks at most `most` entries, because it blocks the event loop. */
  sweep(lifetimeMs: number, most: number): void {
    const oldest = this.#now() - lifetimeMs
    let looked = 0
    for (const [key, entry] of this.#entries) {
      if ((looked += 1) > most) return
      if (entry.keptAtMs <= oldest) this.#drop(key, entry)
    }
  }

  clear(): void {
    this.#entries.clear()
    this.#bytes = 0
  }

  #drop(key: string, { bytes }: Entry): void {
    this.#entries.delete(key)
    this.#bytes -= bytes
  }
}
