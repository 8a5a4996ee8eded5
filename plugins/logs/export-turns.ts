import { setImmediate as nextTurn } from 'node:timers/promises'

/** Two, so that an export whose rows are hard to find does not hold up all others. */
const AT_ONCE = 2

/** Of all exports, these few read and write their next rows at a time. An export whose reader is slow waits outside, with its text. */
export class ExportTurns {
  readonly #waiting: (() => void)[] = []
  #free = AT_ONCE

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      // What others have asked for meanwhile comes first.
      await nextTurn()
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}
