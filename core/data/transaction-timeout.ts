/** Three seconds, since calls wait five for their commit. Whoever asks one statement after the other makes no pause, however busy the process is. */
export const LONGEST_PAUSE_MS = 3_000

export interface TransactionLimits {
  /** Between two statements. */
  pauseMs: number
  totalMs?: number
}

/** Limits the time of work inside a transaction, for which every writer of SQLite waits: it may wait only for the database. */
export class TransactionTimeout {
  readonly #name: string
  readonly #limits: TransactionLimits
  #pause: NodeJS.Timeout | undefined
  #running = 0
  #isOver = false
  #fail: (error: Error) => void = () => undefined

  /** @param name of the work, for errors */
  constructor(name: string, limits: TransactionLimits) {
    this.#name = name
    this.#limits = limits
  }

  /** @throws Error if the work takes too long; statements after that are refused */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { totalMs } = this.#limits
    const tooLate = new Promise<never>((_, reject) => {
      this.#fail = reject
    })
    const total =
      totalMs === undefined
        ? undefined
        : setTimeout(() => this.#end(`took longer than ${totalMs} ms`), totalMs)
    this.#wait()
    try {
      return await Promise.race([work(), tooLate])
    } finally {
      this.#isOver = true
      clearTimeout(total)
      clearTimeout(this.#pause)
    }
  }

  async statement<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isOver) throw new Error(`${this.#name} is over`)
    this.#running += 1
    clearTimeout(this.#pause)
    try {
      return await work()
    } finally {
      this.#running -= 1
      if (this.#running === 0 && !this.#isOver) this.#wait()
    }
  }

  #wait(): void {
    const { pauseMs } = this.#limits
    this.#pause = setTimeout(
      () => this.#end(`asked nothing of the database for ${pauseMs} ms`),
      pauseMs,
    )
  }

  #end(what: string): void {
    this.#isOver = true
    this.#fail(new Error(`${this.#name} ${what}`))
  }
}
