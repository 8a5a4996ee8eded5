import type { Drain } from './drain.ts'

/**
 * The answers that are being read from upstreams, those whose client has left included: a stop waits for them.
 * A list with places, not a Set: a Set that is filled and emptied all the time leaves chains of outgrown tables behind, which
 * keep whole calls alive until the next full collection.
 */
export class OpenCalls {
  readonly #drains: Drain[] = []
  readonly #waiting: (() => void)[] = []
  #isCutShort = false

  add(drain: Drain): void {
    drain.place = this.#drains.push(drain) - 1
    if (this.#isCutShort) drain.cutShort()
  }

  remove(drain: Drain): void {
    const { place } = drain
    if (this.#drains[place] !== drain) return
    const last = this.#drains.pop()
    if (last && last !== drain) {
      this.#drains[place] = last
      last.place = place
    }
    if (this.#drains.length === 0) for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** Ends them all, also those whose next attempt is still to come: what was delivered is counted, and who waits is told. */
  cutShort(): void {
    this.#isCutShort = true
    for (const drain of this.#drains.slice()) drain.cutShort()
  }

  /** Resolves when every answer has ended and is booked. */
  async idle(): Promise<void> {
    if (this.#drains.length > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}
