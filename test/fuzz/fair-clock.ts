// What a call took, without what the machine gave to others meanwhile: the kernel tells for each thread how long it was ready and waited for a processor.
import { readFileSync } from 'node:fs'

/** Where the kernel tells nothing, nothing is taken off. */
export class FairClock {
  readonly #places: readonly string[]

  /** The loops of both ends: of the gateway, and of this process, which asks it. */
  constructor(gatewayPid: number) {
    this.#places = [gatewayPid, process.pid].map((pid) => `/proc/${pid}/task/${pid}/schedstat`)
  }

  /** Milliseconds from now on. */
  start(): () => { tookMs: number; waitedMs: number } {
    const [began, waitedBefore] = [performance.now(), this.#waitedMs()]
    return () => {
      const waitedMs = this.#waitedMs() - waitedBefore
      return { tookMs: performance.now() - began - waitedMs, waitedMs }
    }
  }

  #waitedMs(): number {
    return this.#places.reduce((sum, place) => sum + waitedOf(place), 0)
  }
}

/** The second number of three, in nanoseconds (Linux, sched-stats). */
function waitedOf(place: string): number {
  try {
    return Number(readFileSync(place, 'latin1').split(' ')[1] ?? 0) / 1e6
  } catch {
    return 0
  }
}
