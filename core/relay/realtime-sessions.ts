export interface LiveSession {
  /** Ends after the answer under way. */
  end(): void
  /** Ends at once. */
  abort(): void
}

/** The realtime sessions of this process. A server that closes does not wait for upgraded connections, so it asks here. */
export class RealtimeSessions {
  readonly #live = new Set<LiveSession>()
  #isEnding = false

  get size(): number {
    return this.#live.size
  }

  /** Returns what takes it out again. */
  add(session: LiveSession): () => void {
    this.#live.add(session)
    if (this.#isEnding) session.end()
    return () => void this.#live.delete(session)
  }

  end(): void {
    this.#isEnding = true
    for (const session of this.#live) session.end()
  }

  abort(): void {
    for (const session of this.#live) session.abort()
  }
}
