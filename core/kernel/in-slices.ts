import { setImmediate as nextTurn } from 'node:timers/promises'

/** Work before others get their turn. */
const SLICE_MS = 4

/** For long work beside calls: says when it is the turn of others, and waits for them. */
export class Pace {
  #since = performance.now()

  get isDue(): boolean {
    return performance.now() - this.#since >= SLICE_MS
  }

  async breathe(): Promise<void> {
    await nextTurn()
    this.#since = performance.now()
  }
}

/** Takes all the steps, none of which is long by itself. @throws what a step throws */
export async function inSlices(steps: Iterable<unknown>): Promise<void> {
  const pace = new Pace()
  for (const _step of steps) if (pace.isDue) await pace.breathe()
}
