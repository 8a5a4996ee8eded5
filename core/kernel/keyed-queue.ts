/** As `SerialQueue`, but only among work of one key; that of other keys goes on beside it. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<void>>()

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key)
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    this.#last.set(key, over)
    try {
      await before
      return await work()
    } finally {
      end()
      if (this.#last.get(key) === over) this.#last.delete(key)
    }
  }
}
