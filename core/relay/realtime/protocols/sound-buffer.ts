/** The sound that a client has sent and that is in no message yet: the upstream says when it takes it over, and when it throws it away. In seconds. */
export class SoundBuffer {
  #seconds = 0
  /** Of it, what had been sent when the client asked to clear. */
  #doomed = 0
  #tellsCommits = false

  append(seconds: number): void {
    this.#seconds += seconds
  }

  askClear(): void {
    this.#doomed = this.#seconds
  }

  /** @returns what was thrown away; what came after the client had asked stays */
  clear(): number {
    const gone = Math.min(this.#doomed, this.#seconds)
    this.#seconds -= gone
    this.#doomed = 0
    return gone
  }

  commit(): number {
    this.#tellsCommits = true
    return this.#take()
  }

  /** What belongs to an answer although no message was told: all of it, for upstreams that tell of none. */
  answered(): number {
    return this.#tellsCommits ? 0 : this.#take()
  }

  #take(): number {
    const seconds = this.#seconds
    this.#seconds = 0
    this.#doomed = 0
    return seconds
  }
}
