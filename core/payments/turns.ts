/** Work of one name is done one piece after the other, in the order of asking; that of others goes on beside it. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>()

  async take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name)
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    this.#last.set(name, over)
    try {
      await before
      return await work()
    } finally {
      end()
      if (this.#last.get(name) === over) this.#last.delete(name)
    }
  }
}
