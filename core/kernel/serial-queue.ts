/** Runs pieces of work one after the other, in the order of asking. One that fails holds up none of those behind it. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.then(work)
    this.#last = run.catch(() => undefined)
    return run
  }

  /** Resolves when what was asked for until now is over. */
  async over(): Promise<void> {
    await this.#last
  }
}
