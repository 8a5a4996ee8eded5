import { whenClosed } from '../../net/clients/when-closed.ts'
import type { Drain } from './drain.ts'
import { relayErrors } from './relay-errors.ts'
import type { ClientReply } from './client-state.ts'

/** The calls of this process, from their first header to the end of their answer. Calls whose client has left count as
 *  long as the upstream is read. Their number is bounded, and a stop waits for them.
 *  A list with slots instead of a Set: a Set that is constantly filled and emptied leaves chains of discarded hash
 *  tables behind, which keep whole calls alive until the next full garbage collection. */
export class OpenCalls {
  readonly #limit: number
  readonly #drains: Drain[] = []
  readonly #waiting: (() => void)[] = []
  readonly #leave = (): void => void (this.#connected -= 1)
  readonly #readOn = (): void => void (this.#readingOn += 1)
  #isCutShort = false
  #connected = 0
  #readingOn = 0
  /** How many calls were refused because all places were taken. */
  shed = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get size(): number {
    return this.#connected + this.#readingOn
  }

  /** Takes a place until the client's connection closes. @throws relay.gateway_overloaded */
  enter({ raw }: ClientReply): void {
    if (this.size >= this.#limit) {
      this.shed += 1
      throw relayErrors.overloaded()
    }
    this.#connected += 1
    whenClosed(raw, this.#leave)
  }

  add(drain: Drain): void {
    drain.place = this.#drains.push(drain) - 1
    if (drain.hasBegun) this.#readOn()
    else drain.whenBegun = this.#readOn
    if (this.#isCutShort) drain.cutShort()
  }

  remove(drain: Drain): void {
    const { place } = drain
    if (this.#drains[place] !== drain) return
    if (drain.hasBegun) this.#readingOn -= 1
    const last = this.#drains.pop()
    if (last && last !== drain) {
      this.#drains[place] = last
      last.place = place
    }
    if (this.#drains.length === 0) for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** Ends all calls, including those between two attempts. What was delivered is billed, and waiting clients get an error. */
  cutShort(): void {
    this.#isCutShort = true
    for (const drain of this.#drains.slice()) drain.cutShort()
  }

  /** Resolves when every answer has ended and is charged. */
  async idle(): Promise<void> {
    if (this.#drains.length > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}
