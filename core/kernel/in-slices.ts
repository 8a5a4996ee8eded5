import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long work runs before other work gets a turn. */
const SLICE_MS = 4

/** For long work while calls are served: tells when other work should get a turn, and waits for it. */
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

/** Runs all steps, each of which is short. @throws errors of a step */
export async function inSlices(steps: Iterable<unknown>): Promise<void> {
  const pace = new Pace()
  for (const _step of steps) if (pace.isDue) await pace.breathe()
}
