/** Notices on their way at once. */
const AT_ONCE = 8
/** Users whose notice waits; past it, whoever is still low is found by a later call. */
const MOST_WAITING = 1_000

/** Sends one notice a user at a time, so that a slow way holds up neither those who look nor all others. */
export class Outbox {
  readonly #send: (userId: number, units: number) => Promise<void>
  /** With the balance that was seen last. */
  readonly #waiting = new Map<number, number>()
  readonly #underWay = new Set<number>()

  constructor(send: (userId: number, units: number) => Promise<void>) {
    this.#send = send
  }

  add(userId: number, units: number): void {
    if (this.#underWay.has(userId)) return
    if (this.#waiting.size >= MOST_WAITING && !this.#waiting.has(userId)) return
    this.#waiting.set(userId, units)
    this.#fill()
  }

  /** Drops what has not begun. Sends under way end by themselves. */
  clear(): void {
    this.#waiting.clear()
  }

  #fill(): void {
    for (const [userId, units] of this.#waiting) {
      if (this.#underWay.size >= AT_ONCE) return
      this.#waiting.delete(userId)
      this.#underWay.add(userId)
      void this.#send(userId, units).finally(() => {
        this.#underWay.delete(userId)
        this.#fill()
      })
    }
  }
}
