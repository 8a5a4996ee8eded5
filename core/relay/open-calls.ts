import type { Drain } from './drain.ts'

/** The answers that are being read from upstreams, those whose client has left included: a stop waits for them. */
export class OpenCalls {
  readonly #drains = new Set<Drain>()
  readonly #waiting: (() => void)[] = []

  add(drain: Drain): void {
    this.#drains.add(drain)
  }

  remove(drain: Drain): void {
    this.#drains.delete(drain)
    if (this.#drains.size === 0) for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** Reads on for nobody: what was delivered is counted. */
  cutShort(): void {
    for (const drain of this.#drains) drain.cutShort()
  }

  /** Resolves when every answer has ended and is booked. */
  async idle(): Promise<void> {
    if (this.#drains.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}
