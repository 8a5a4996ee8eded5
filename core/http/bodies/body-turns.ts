/** How many bytes of large bodies are joined and parsed at a time: ten milliseconds of work on most machines. A larger body is alone. */
const BYTES_AT_A_TIME = 4 * 1_048_576

interface Waiter {
  bytes: number
  resolve: () => void
}

/** Spreads the work at large bodies that are complete at the same time: they get at most half of the event loop's time, so
 *  that everybody else is served in between and commits, which take several turns of it, go on. */
export class BodyTurns {
  readonly #waiting: Waiter[] = []
  #isBusy = false

  /** Resolves when it is this body's turn, in order of arrival; what is done in the same turn of the event loop counts. */
  take(bytes: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ bytes, resolve })
      this.#next()
    })
  }

  #next(): void {
    if (this.#isBusy || this.#waiting.length === 0) return
    this.#isBusy = true
    setImmediate(() => {
      const beganMs = performance.now()
      for (const { resolve } of this.#waiting.splice(0, this.#fitting())) resolve()
      setImmediate(() => this.#rest(performance.now() - beganMs))
    })
  }

  #fitting(): number {
    let bytes = 0
    const above = this.#waiting.findIndex((waiter) => (bytes += waiter.bytes) > BYTES_AT_A_TIME)
    return above < 0 ? this.#waiting.length : Math.max(1, above)
  }

  #rest(ms: number): void {
    setTimeout(() => {
      this.#isBusy = false
      this.#next()
    }, ms)
  }
}
