/** Limits the time of a plugin's migration step: it may take a while, but it may wait only for the database. */
export class MigrationPace {
  readonly #name: string
  readonly #pauseMs: number
  readonly #totalMs: number
  #pause: NodeJS.Timeout | undefined
  #running = 0
  #isOver = false
  #fail: (error: Error) => void = () => undefined

  constructor(name: string, pauseMs: number, totalMs: number) {
    this.#name = name
    this.#pauseMs = pauseMs
    this.#totalMs = totalMs
  }

  /** @throws Error if the step takes too long; statements after that are refused */
  async run(step: () => Promise<void>): Promise<void> {
    const tooLate = new Promise<never>((_, reject) => {
      this.#fail = reject
    })
    const total = setTimeout(
      () => this.#fail(new Error(`migration ${this.#name} took longer than ${this.#totalMs} ms`)),
      this.#totalMs,
    )
    this.#wait()
    try {
      await Promise.race([step(), tooLate])
    } finally {
      this.#isOver = true
      clearTimeout(total)
      clearTimeout(this.#pause)
    }
  }

  async statement<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isOver) throw new Error(`migration ${this.#name} is over`)
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
    this.#pause = setTimeout(
      () =>
        this.#fail(
          new Error(
            `migration ${this.#name} asked nothing of the database for ${this.#pauseMs} ms`,
          ),
        ),
      this.#pauseMs,
    )
  }
}
