import { setTimeout as wait } from 'node:timers/promises'

const firstRetryMs = 100
const lastRetryMs = 5_000

type Work = () => void | Promise<void>

/** Repeats a read until it succeeds. A request during a read leads to one more, because the current read may have come before the change. */
export class Refresh {
  readonly #work: Work
  readonly #onFault: (error: unknown) => void
  readonly #closing = new AbortController()
  #isWanted = false
  #isRunning = false

  /** `onFault` is told of each reading that failed. */
  constructor(work: Work, onFault: (error: unknown) => void) {
    this.#work = work
    this.#onFault = onFault
  }

  demand(): void {
    this.#isWanted = true
    if (!this.#isRunning) void this.#run()
  }

  close(): void {
    this.#closing.abort()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    let retryMs = firstRetryMs
    while (this.#isWanted && !this.#closing.signal.aborted) {
      this.#isWanted = false
      try {
        await this.#work()
        retryMs = firstRetryMs
      } catch (error) {
        this.#onFault(error)
        this.#isWanted = true
        await this.#pause(retryMs)
        retryMs = Math.min(retryMs * 2, lastRetryMs)
      }
    }
    this.#isRunning = false
  }

  async #pause(ms: number): Promise<void> {
    const { signal } = this.#closing
    await wait(ms, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
