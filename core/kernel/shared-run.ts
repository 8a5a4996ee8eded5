/** Work of which one run serves everybody who asks. Calls during a run share the next one, because the current run may have read before their change. */
export class SharedRun {
  readonly #work: () => Promise<void>
  #running: Promise<void> | undefined
  #queued: Promise<void> | undefined

  constructor(work: () => Promise<void>) {
    this.#work = work
  }

  run(): Promise<void> {
    // Between the end of one run and the start of the queued one nothing runs for a moment: a call at that time shares the queued one, too.
    if (this.#queued !== undefined) return this.#queued
    if (this.#running === undefined) return this.#start()
    const follow = (): Promise<void> => {
      this.#queued = undefined
      return this.#start()
    }
    this.#queued = this.#running.then(follow, follow)
    return this.#queued
  }

  #start(): Promise<void> {
    const run = this.#work().finally(() => {
      this.#running = undefined
    })
    this.#running = run
    return run
  }
}
