/** Hunyuan stops after a stop text, which it still writes; others stop before. Holds back as much as a stop text may be long. */
export class StopCutter {
  readonly #stops: readonly string[]
  readonly #longest: number
  #held = ''

  constructor(stops: readonly string[]) {
    this.#stops = stops
    this.#longest = Math.max(0, ...stops.map((stop) => stop.length))
  }

  push(text: string): string {
    if (this.#longest === 0) return text
    const all = this.#held + text
    const cut = Math.max(0, all.length - this.#longest)
    this.#held = all.slice(cut)
    return all.slice(0, cut)
  }

  /** The text that is still held back at the end of the answer, without the stop text. */
  end(): string {
    const rest = this.#held
    this.#held = ''
    const stop = this.#stops.find((candidate) => candidate !== '' && rest.endsWith(candidate))
    return stop === undefined ? rest : rest.slice(0, -stop.length)
  }
}
