import { outsideTransaction } from '../../data/inside-transaction.ts'

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** The most items of one run: a transaction over so many channels takes some milliseconds. */
const MOST = 200

/** Gathers small pieces of work and does them together: items that arrive during a run wait for the next one. When a
 *  provider fails, hundreds may arrive in one second. */
export class GatheredWork<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>
  readonly #waiting: Waiting<Item, Result>[] = []
  #isRunning = false

  /** `work` returns the results in the order of its items. If it throws, all items get the error. */
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
    // Items that arrive in the same turn are done together.
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
