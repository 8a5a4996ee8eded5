const tickMs = 500

/**
 * How long a write is waited for, counted in ticks of this process's own timer: one that stands still, or gets too little of its
 * machine, hears late of what the database did in time. Between two ticks it reads whatever has arrived.
 */
export class WriteWait {
  readonly #limitTicks: number
  readonly #tooLong: () => void
  #timer: NodeJS.Timeout | undefined
  #ticks = 0

  /** `tooLong` is called once in a wait, after `limitMs`. */
  constructor(limitMs = Infinity, tooLong: () => void = () => undefined) {
    this.#limitTicks = Math.ceil(limitMs / tickMs)
    this.#tooLong = tooLong
  }

  /** Undefined when nothing is waited for. */
  get ms(): number | undefined {
    return this.#timer === undefined ? undefined : this.#ticks * tickMs
  }

  begin(): void {
    this.#ticks = 0
    this.#timer = setInterval(() => {
      this.#ticks += 1
      if (this.#ticks === this.#limitTicks) this.#tooLong()
    }, tickMs)
  }

  end(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
