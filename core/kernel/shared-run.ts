/** Work of which one run is enough for all who ask: calls during a run share the one that follows it, for the running one may have read before their change. */
export class SharedRun {
  readonly #work: () => Promise<void>
  #running: Promise<void> | undefined
  #queued: Promise<void> | undefined

  constructor(work: () => Promise<void>) {
    this.#work = work
  }

  run(): Promise<void> {
    // Between the end of one and the beginning of the queued one there are moments without a run: whoever comes then shares that one, too.
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
