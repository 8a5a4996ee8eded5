/** Work of this length, during which nothing else can run. */
const BLOCK_MS = 100
/** The most that one block counts: the machine may have stood still meanwhile. */
const COUNTED_MS = 1_000
/** By how much blocks may outlast the pauses between them. */
const MOST_MS = 5_000

/** Adds up how long a hook keeps everybody waiting, less the pauses that it leaves. */
export class BlockingTime {
  #sumMs = 0
  #endMs = 0

  /** @returns why the hook must no longer be called, if it takes too much */
  add(startMs: number, ms: number): Error | undefined {
    if (ms < BLOCK_MS) return undefined
    const left = Math.max(0, this.#sumMs - Math.max(0, startMs - this.#endMs))
    this.#sumMs = left + Math.min(ms, COUNTED_MS)
    this.#endMs = startMs + ms
    if (this.#sumMs <= MOST_MS) return undefined
    return new Error('it lets nothing else run for most of the time')
  }

  clear(): void {
    this.#sumMs = 0
  }
}
