import { setImmediate as breathe } from 'node:timers/promises'

/** Work before others get their turn. */
const SLICE_MS = 4

/** Takes all the steps, none of which is long by itself. @throws what a step throws */
export async function inSlices(steps: Iterable<unknown>): Promise<void> {
  let since = performance.now()
  for (const _step of steps) {
    if (performance.now() - since < SLICE_MS) continue
    await breathe()
    since = performance.now()
  }
}
