// The current generation, earlier ones that still drain, and those that are being built.
import type { Logger } from '../../contract/services.ts'
import type { Generation } from '../generations.ts'

export class Serving {
  readonly #log: Logger
  #current: Generation | undefined
  readonly #retiring = new Set<Promise<void>>()
  readonly #building = new Set<Promise<unknown>>()

  constructor(log: Logger) {
    this.#log = log
  }

  get generation(): Generation | undefined {
    return this.#current
  }

  /** New requests go to it; the one before ends with its last request. */
  put(next: Generation, atTheTurn: () => void): void {
    const previous = this.#current
    this.#current = next
    atTheTurn()
    if (previous) this.retire(previous)
  }

  /** The end waits for it. */
  watch<T>(building: Promise<T>): Promise<T> {
    this.#building.add(building)
    const forget = () => this.#building.delete(building)
    building.then(forget, forget)
    return building
  }

  retire(generation: Generation): void {
    const done = generation
      .retire()
      .catch((error: unknown) =>
        this.#log.error(
          { err: error, generation: generation.number },
          'a generation did not close cleanly',
        ),
      )
      .finally(() => this.#retiring.delete(done))
    this.#retiring.add(done)
  }

  built(): Promise<unknown> {
    return Promise.allSettled(this.#building)
  }

  /** Waits for the requests of all generations. */
  async close(): Promise<void> {
    if (this.#current) this.retire(this.#current)
    await Promise.all(this.#retiring)
  }
}
