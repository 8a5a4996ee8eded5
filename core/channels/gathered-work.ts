import { outsideTransaction } from '../data/write-gate.ts'

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** Of one run: a transaction of so many channels takes some milliseconds. */
const MOST = 200

/** Small works that are done together: what is asked for during a run waits for the next one. A whole provider may fail in one second. */
export class GatheredWork<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>
  readonly #waiting: Waiting<Item, Result>[] = []
  #isRunning = false

  /** `work` gives the results in the order of its items; what it throws, all of them get. */
  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>) {
    this.#work = work
  }

  do(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      if (!this.#isRunning) void outsideTransaction(() => this.#run())
    })
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    // What is asked for in the same turn is done together.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const taken = this.#waiting.splice(0, MOST)
      try {
        const results = await this.#work(taken.map(({ item }) => item))
        for (const [place, { resolve }] of taken.entries()) resolve(results[place] as Result)
      } catch (error) {
        for (const { reject } of taken) reject(error)
      }
    }
    this.#isRunning = false
  }
}
